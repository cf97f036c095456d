package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// What the built-in checks find in a run comes first, with its line and time, and the run is the same as without them.
func TestRunChecks(t *testing.T) {
	t.Parallel()
	elf, out := lines(t, "atmega328p"), t.TempDir()
	args := []string{"run", "--time", "300ms", "--serial-in", "hex:7e050102030405", "--out", out, elf}
	r := motehound(t, args...)
	if r.status != exitFound || !strings.HasPrefix(r.stdout, "memory: bounds at 0.10") || !strings.Contains(r.stdout, "in take (") || !strings.Contains(r.stdout, "\n  body[4] writes ") {
		t.Errorf("exit status %d\n%s", r.status, r.stdout)
	}
	doc := motehound(t, append(args, "--json")...).report(t)
	if len(doc.Findings) != 1 || doc.Verdict != "violated" {
		t.Fatalf("verdict %s, findings %+v", doc.Verdict, doc.Findings)
	}
	x := doc.Findings[0]
	if x.Property != "memory: bounds" || x.Function != "take" || filepath.Base(x.File) != "lines.c" || x.Line == 0 || x.Count != 1 || x.TimePS != x.Cycle*62_500 {
		t.Errorf("got %+v", x)
	}
	again := motehound(t, "replay", filepath.Join(out, "recipe.json"))
	if again.status != exitFine || !strings.HasPrefix(again.stdout, "memory: bounds at 0.10") {
		t.Errorf("replay: exit status %d\n%s%s", again.status, again.stdout, again.stderr)
	}
	for _, plain := range []result{motehound(t, append(args, "--no-checks", "--json")...), motehound(t, "replay", "--json", "--no-checks", filepath.Join(out, "recipe.json"))} {
		if without := plain.report(t); plain.status != exitFine || len(without.Findings) != 0 || without.Hash != doc.Hash || without.Verdict != "unknown" {
			t.Errorf("--no-checks: exit status %d, findings %+v, final state %s, with checks %s", plain.status, without.Findings, without.Hash, doc.Hash)
		}
	}
}

// A reset by the watchdog is a finding if somebody asks for it. Otherwise the run says that there was one.
func TestRunWatchdog(t *testing.T) {
	file := hexFile(t,
		0xB784, 0xFD83, 0x9598, // in r24, MCUSR; sbrc r24, WDRF; break
		0xE188, 0x9380, 0x0060, 0xE088, 0x9380, 0x0060, // WDTCSR = WDCE | WDE; WDTCSR = WDE: 16 ms
		0xCFFF) // rjmp .
	scenario := func(more string) string {
		return write(t, "a.star", `network(motes = [mote(chip = "atmega328p", hertz = 8000000, firmware = "`+file+`")])
`+more)
	}
	for _, tt := range []struct {
		want bool
		args []string
	}{
		{false, []string{"--chip", "atmega328p", file}},
		{true, []string{"--watchdog", "--chip", "atmega328p", file}},
		{false, []string{scenario("")}},
		{true, []string{scenario(`report("kernel: watchdog")`)}},
	} {
		r := motehound(t, append([]string{"run", "--quiet"}, tt.args...)...)
		if got := strings.Contains(r.stdout, "kernel: watchdog at 0.0"); got != tt.want || got != (r.status == exitFound) {
			t.Errorf("%v: exit status %d\n%s%s", tt.args, r.status, r.stdout, r.stderr)
		}
		const note = "mote 0 was reset by its watchdog 1 time"
		r = motehound(t, append([]string{"run"}, tt.args...)...)
		doc := motehound(t, append([]string{"run", "--json"}, tt.args...)...).report(t)
		left := slices.ContainsFunc(doc.LeftOut, func(s string) bool { return strings.HasPrefix(s, note) })
		if got := strings.Contains(r.stderr, note); got == tt.want || left == tt.want {
			t.Errorf("%v: left out %q\n%s", tt.args, doc.LeftOut, r.stderr)
		}
	}
}

// Notices of one kind are one line.
func TestNoticesFold(t *testing.T) {
	file := hexFile(t, 0xEF8F, 0x9380, 0x00B7, 0x9380, 0x00BE, 0x9380, 0x00C3, 0x9598) // ldi r24, 0xFF; sts to three reserved addresses; break
	r := motehound(t, "run", "--board", "uno", "--no-checks", "--nodes", "2", file)
	const want = "mote 0 at 0x0002: 3 registers are not modelled, and only hold their values: "
	if strings.Count(r.stdout, "not modelled") != 1 || !strings.Contains(r.stdout, want) || !strings.Contains(r.stdout, "(on 2 motes)") {
		t.Errorf("got\n%s", r.stdout)
	}
}
