package main

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"motehound/mote/board"
)

// The demo shows exact things, and they are exact.
func TestDemo(t *testing.T) {
	r := motehound(t, "demo")
	for _, want := range []string{
		"acknowledgement of frame 7",
		"active message of type 9, from 1 to mote 0, data 00 05",
		"LEDs show the number in the message, 5: red and yellow",
		"The three final states are equal, bit for bit.",
		"mote 0 has, of each of them: [0, 6",
		"ADC (vector 22): 497 intervals",
		"6 intervals stand out: data was lost in them.",
		"in which instances it happened: [93 186 279 372 387 480]",
		"job flow       A18 A18 B18 B18 C18 B18 B18 D18 A18 A18 E18 E18 F18",
		"A18 A18 B18 B18 C18 B18 B18 D18 A18 A18 [B18] B18 C18 B18 B18 D18 A18 A18 E18 E18 F18",
	} {
		if r.status != exitFine || !strings.Contains(r.stdout, want) {
			t.Errorf("exit status %d, no %q in\n%s%s", r.status, want, r.stdout, r.stderr)
		}
	}
	changes := regexp.MustCompile(`(\d+\.\d{9}) s  cycle +([\d,]+)  (red|green) (on|off)`).FindAllStringSubmatch(r.stdout, -1)
	if len(changes) != 4 {
		t.Fatalf("%d changes of lights, want 4, in\n%s", len(changes), r.stdout)
	}
	for _, c := range changes {
		at, err1 := strconv.ParseFloat(c[1], 64)
		cycle, err2 := strconv.ParseFloat(strings.ReplaceAll(c[2], ",", ""), 64)
		if d := at*float64(board.MicaZ.Hertz) - cycle; err1 != nil || err2 != nil || d > 1 || d < -1 {
			t.Errorf("%s s is not cycle %s", c[1], c[2])
		}
	}
}
