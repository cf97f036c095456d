package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/vbauerster/mpb/v8/cwriter"

	"motehound/show/live"
	"motehound/world"
)

// terminal is where a run speaks to people: a report and traces as text, notes and the progress line on standard error.
type terminal struct {
	text     io.Writer // the report and traces
	json     bool      // the report is JSON, on standard output
	ended    bool      // there is none: see unfinished
	quiet    bool
	tty      bool // standard error is one
	drawn    bool // a progress line stands there
	lastDraw time.Time
}

// newTerminal keeps standard output free for JSON, or for a mote that has it.
func newTerminal(json, quiet bool, serial []string) *terminal {
	t := &terminal{text: stdout, json: json, quiet: quiet, tty: cwriter.IsTerminal(int(os.Stderr.Fd()))}
	if json {
		t.text = os.Stderr
	}
	for _, s := range serial {
		if spec, err := live.ParseSpec(s); err == nil && spec.Kind == "stdio" {
			t.text = os.Stderr
			t.tty = false // the mote's output is on the terminal, perhaps
		}
	}
	return t
}

// line prints a line of a trace.
func (t *terminal) line(format string, args ...any) {
	t.clear()
	fmt.Fprintf(t.text, format+"\n", args...)
}

// say prints what a user has to know to go on.
func (t *terminal) say(format string, args ...any) {
	t.clear()
	fmt.Fprintf(os.Stderr, format+"\n", args...)
}

// note prints what a user may want to know.
func (t *terminal) note(format string, args ...any) {
	if !t.quiet {
		t.say(format, args...)
	}
}

// opened tells of somebody who has opened a line.
func (t *terminal) opened(w *world.World) func(*live.Port, bool) {
	return func(p *live.Port, reset bool) {
		what := "opened"
		if reset {
			what = "opened, mote reset"
		}
		t.note("serial %s: %s at %s", portName(w, p), what, seconds(w.Now()))
	}
}

// frame is how often the progress line is drawn.
const frame = 100 * time.Millisecond

// progress draws how far a run has got, or is nil where nobody would see it.
func (t *terminal) progress(start time.Time, until uint64) func(now uint64) {
	if !t.tty || t.quiet {
		return nil
	}
	return func(now uint64) {
		at := time.Now()
		if at.Sub(t.lastDraw) < frame || at.Sub(start) < frame {
			return
		}
		t.lastDraw, t.drawn = at, true
		const width = 30
		done := int(float64(now) / float64(until) * width)
		ratio := float64(now) / world.Second / at.Sub(start).Seconds()
		fmt.Fprintf(os.Stderr, "\r\x1b[K[%s%s] %.1f of %.1f s, %s", strings.Repeat("#", done), strings.Repeat("-", width-done),
			float64(now)/world.Second, float64(until)/world.Second, times(ratio))
	}
}

// doing shows what the command is about, until something else is printed.
func (t *terminal) doing(format string, args ...any) {
	if !t.tty || t.quiet {
		return
	}
	t.drawn = true
	fmt.Fprintf(os.Stderr, "\r\x1b[K"+format, args...)
}

// clear takes the progress line away.
func (t *terminal) clear() {
	if t.drawn {
		fmt.Fprint(os.Stderr, "\r\x1b[K")
		t.drawn = false
	}
}

// seconds is a moment, exactly enough for one cycle of any chip.
func seconds(ps uint64) string {
	ns := ps / 1000
	return fmt.Sprintf("%d.%09d s", ns/1_000_000_000, ns%1_000_000_000)
}

// times is a speed as a multiple of real time.
func times(ratio float64) string {
	switch {
	case ratio >= 10:
		return fmt.Sprintf("%s times real time", grouped(uint64(ratio)))
	default:
		return fmt.Sprintf("%.2f times real time", ratio)
	}
}

// grouped writes a number with its thousands apart.
func grouped(n uint64) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// hertz is a frequency.
func hertz(n uint64) string {
	return strings.TrimRight(strings.TrimRight(fmt.Sprintf("%.4f", float64(n)/1e6), "0"), ".") + " MHz"
}

func list[T any](all []T, name func(T) string) string { return strings.Join(namesOf(all, name), ", ") }

func namesOf[T any](all []T, name func(T) string) []string {
	var names []string
	for _, x := range all {
		names = append(names, name(x))
	}
	return names
}
