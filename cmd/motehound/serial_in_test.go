package main

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"motehound/internal/need"
	"motehound/job/document"
	"motehound/world/recipe"
)

// compiled compiles a program of testdata.
func compiled(t testing.TB, source, mcu string, flags ...string) string {
	t.Helper()
	elf := filepath.Join(t.TempDir(), source+".elf")
	args := append([]string{"-Os", "-gdwarf-4", "-mmcu=" + mcu, "-o", elf, "testdata/" + source}, flags...)
	if out, err := need.Command(t, "avr-gcc", args...).CombinedOutput(); err != nil {
		t.Fatalf("avr-gcc: %v\n%s", err, out)
	}
	return elf
}

// lines is testdata/lines.c, which echoes.
func lines(t testing.TB, mcu string, flags ...string) string {
	return compiled(t, "lines.c", mcu, flags...)
}

// Input from the command line reaches the USART to which the firmware listens, and belongs to the recipe.
func TestSerialIn(t *testing.T) {
	t.Parallel()
	file := write(t, "input", "from\\n\n")
	tests := []struct {
		mcu   string
		flags []string
		args  []string
		usart string
		want  string
	}{
		{"atmega328p", nil, []string{"--serial-in", `a\x42\tc\\\n`}, "0", "aB\tc\\\n"},
		{"atmega328p", []string{"-DPOLLED"}, []string{"--serial-in", "two ", "--serial-in", "text:@parts"}, "0", "two @parts"},
		{"atmega328p", nil, []string{"--serial-in", "hex:7e 01,ff"}, "0", "~\x01ÿ"},
		{"atmega328p", nil, []string{"--serial-in", "@" + file}, "0", "from\\n\n"},
		{"atmega2560", nil, []string{"--serial-in", "hello"}, "1", "hello"},
		{"atmega2560", nil, []string{"--serial-in", "hello", "--serial-to", "0.2"}, "1", ""}, // which is off
	}
	for _, tt := range tests {
		out := t.TempDir()
		doc := runJSON(t, append([]string{"--time", "300ms", "--out", out, lines(t, tt.mcu, tt.flags...)}, tt.args...)...)
		if got := doc.Motes[0].UART[tt.usart]; got != tt.want {
			t.Errorf("%s %v: it sent %q, want %q", tt.mcu, tt.args, got, tt.want)
		}
		replays(t, out)
	}
}

func TestSerialInTimes(t *testing.T) {
	t.Parallel()
	elf := lines(t, "atmega328p")
	input := func(args ...string) []recipe.Serial {
		return runJSON(t, append([]string{"--time", "400ms", "--serial-in", "abc", elf}, args...)...).Recipe.Serial
	}
	const ms = 1_000_000_000
	if in := input(); len(in) != 1 || in[0].At != 101*ms || in[0].Hex != "616263" || in[0].Baud != 0 {
		t.Errorf("got %+v", in)
	}
	even := input("--serial-at", "50ms", "--serial-pause", "10ms", "--serial-baud", "10000") // ten bits take a millisecond
	if len(even) != 3 || even[0].At != 50*ms || even[1].At != 61*ms || even[2].At != 72*ms || even[2].Hex != "63" || even[2].Baud != 10_000 {
		t.Errorf("got %+v", even)
	}
	one, two, again := input("--serial-pause", "1ms..20ms"), input("--serial-pause", "1ms..20ms", "--seed", "2"), input("--serial-pause", "1ms..20ms")
	if slices.Equal(one, two) || !slices.Equal(one, again) {
		t.Errorf("random pauses: %v, with another seed %v, with the same %v", one, two, again)
	}
	for _, in := range [][]recipe.Serial{one, two} {
		for i := range in[1:] {
			if gap := in[i+1].At - in[i].At; gap < 2*ms || gap > 22*ms {
				t.Errorf("random pauses: %d ps from one character to the next", gap)
			}
		}
	}
	wrong := runJSON(t, "--time", "400ms", "--serial-in", "abc", "--serial-baud", "19200", elf)
	if got := wrong.Motes[0].UART["0"]; got == "abc" || got == "" {
		t.Errorf("at twice its rate, the mote received %q", got)
	}
}

// A frame that is too long is no bug until somebody sends one.
func TestSerialInCheck(t *testing.T) {
	t.Parallel()
	elf := lines(t, "atmega328p")
	check := func(in string) *document.Checked {
		r := motehound(t, "check", "--json", "--mode", "walk", "--walks", "2", "--events", "200", "--serial-in", in, elf)
		doc := new(document.Checked)
		if err := json.Unmarshal([]byte(r.stdout), doc); err != nil {
			t.Fatalf("%v\n%s", err, r.stderr)
		}
		return doc
	}
	if doc := check("hex:7e0401020304"); doc.Verdict == document.Violated {
		t.Errorf("a frame that fits: %+v", doc.Findings)
	}
	doc := check("hex:7e050102030405")
	if doc.Verdict != document.Violated || doc.Findings[0].Property != "memory: bounds" || doc.Findings[0].Function != "take" {
		t.Errorf("a frame that does not fit: %s %+v", doc.Verdict, doc.Findings)
	}
}

func TestSerialInElsewhere(t *testing.T) {
	t.Parallel()
	elf := lines(t, "atmega328p")
	for _, command := range [][]string{{"symbolic"}, {"mine"}, {"model", "mine"}} {
		with := motehound(t, slices.Concat(command, []string{"--json", "--time", "300ms", "--serial-in", "hello", elf})...)
		without := motehound(t, slices.Concat(command, []string{"--json", "--time", "300ms", elf})...)
		if with.status > exitFound || with.stdout == without.stdout {
			t.Errorf("%v: exit status %d, and input makes no difference\n%s%s", command, with.status, with.stdout, with.stderr)
		}
	}
}

func TestSerialInRefused(t *testing.T) {
	t.Parallel()
	scenario := write(t, "x.star", "")
	for _, tt := range [][]string{
		{`unknown escape "\\q"`, "run", "--serial-in", `a\q`, "example:serial-uno"},
		{`digits after \x`, "run", "--serial-in", `\x4`, "example:serial-uno"},
		{"two hexadecimal digits", "run", "--serial-in", "hex:123", "example:serial-uno"},
		{"no such file", "run", "--serial-in", "@/nowhere/x", "example:serial-uno"},
		{"no bytes", "run", "--serial-in", "", "example:serial-uno"},
		{"1ms..20ms", "run", "--serial-in", "a", "--serial-pause", "20ms..1ms", "example:serial-uno"},
		{"no serial input to send", "run", "--serial-pause", "1ms", "example:serial-uno"},
		{"there is no mote 7", "run", "--serial-in", "a", "--serial-to", "7", "example:serial-uno"},
		{"1 USART, counted from 0", "run", "--serial-in", "a", "--serial-to", "1.1", "example:serial-uno"},
		{"the scenario sets that", "run", "--serial-in", "a", scenario},
		{"already explores when", "check", "--serial-pause", "1ms", "example:serial-uno"},
	} {
		r := motehound(t, tt[1:]...)
		if r.status != exitUsage || !strings.Contains(r.stderr, tt[0]) {
			t.Errorf("%v: exit status %d, %s; want %q", tt[1:], r.status, r.stderr, tt[0])
		}
	}
}

// Unknown bytes are for symbolic: it finds the frame that is too long.
func TestSerialInUnknown(t *testing.T) {
	t.Parallel()
	elf := lines(t, "atmega328p")
	for _, in := range [][]string{{"--serial-in", `\x7e\?`, "--serial-in", "any:5"}, {"--serial-in", `~\?`, "--serial-in", "any:5", "--serial-pause", "2ms"}} {
		r := motehound(t, append([]string{"symbolic", "--json", "--time", "200ms", elf}, in...)...)
		doc := new(document.Symbolic)
		if err := json.Unmarshal([]byte(r.stdout), doc); err != nil {
			t.Fatalf("%v\n%s", err, r.stderr)
		}
		if doc.Verdict != document.Violated || doc.Findings[0].Property != "memory: bounds" || doc.Findings[0].Function != "take" {
			t.Errorf("%v: %s %+v", in, doc.Verdict, doc.Findings)
		}
	}
	if r := motehound(t, "run", "--serial-in", "any:2", elf); r.status != 2 || !strings.Contains(r.stderr, "only symbolic can try them all") {
		t.Errorf("run: %d %s", r.status, r.stderr)
	}
}
