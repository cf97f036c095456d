package main

import (
	"strings"
	"testing"
)

// The demo fits on a screen or two, and shows a bug found by check and one found by symbolic.
func TestDemo(t *testing.T) {
	r := motehound(t, "demo")
	for _, want := range []string{
		"LEDs of mote 1: 14 changes",
		" 14  ISR(USART_RX_vect) {\n",
		" 19          count++;\n",
		" 42              count--;    // BUG",
		"1. race: lost update of count, mote 0\n",
		"►2  ■ interrupt USART_RX in the middle of main, at ring.c:42",
		"1. connected here, connected there, mote 1, at 1.044641 s",
		"input: port = 0, mote 1",
		"3 outcomes:",
	} {
		if r.status != exitFine || !strings.Contains(r.stdout, want) {
			t.Errorf("exit status %d, no %q in\n%s%s", r.status, want, r.stdout, r.stderr)
		}
	}
	const most = 60
	if lines := strings.Count(r.stdout+r.stderr, "\n"); lines > most {
		t.Errorf("%d lines, more than %d:\n%s%s", lines, most, r.stdout, r.stderr)
	}
}
