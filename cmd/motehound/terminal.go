package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/vbauerster/mpb/v8/cwriter"

	"motehound/job"
	"motehound/job/phrase"
	"motehound/show/live"
)

// terminal is where a run speaks to people: a report and traces as text, notes and the progress line on standard error.
type terminal struct {
	text     io.Writer // the report and traces
	quiet    bool
	tty      bool // standard error is one
	drawn    bool // a progress line stands there
	lastDraw time.Time
}

// newTerminal keeps standard output free for JSON, or for a mote that has it.
func newTerminal(json, quiet bool, serial []string) *terminal {
	t := &terminal{text: stdout, quiet: quiet, tty: cwriter.IsTerminal(int(os.Stderr.Fd()))}
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

// host is what a job knows of the one who asked for it.
func (t *terminal) host() job.Host {
	var draw func(now uint64)
	var start time.Time
	return job.Host{Now: time.Now, After: time.After, Progress: func(p job.Progress) {
		switch p.Kind {
		case job.Note:
			t.note("%s", p.Text)
		case job.Say:
			t.say("%s", p.Text)
		case job.Line:
			t.line("%s", p.Text)
		case job.Doing:
			if p.Text == "" {
				t.clear()
			} else {
				t.doing("%s", p.Text)
			}
		case job.Exploring, job.Following:
			if p.Text == "" && p.Now == 0 && p.Events == 0 {
				start = time.Now()
			}
			t.exploring(p, start)
		case job.Running:
			if p.Now == 0 {
				draw = t.progress(time.Now(), p.Until)
			}
			if draw != nil {
				draw(p.Now)
			}
		}
	}}
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
		ratio := float64(now) / job.Second / at.Sub(start).Seconds()
		fmt.Fprintf(os.Stderr, "\r\x1b[K[%s%s] %.1f of %.1f s, %s", strings.Repeat("#", done), strings.Repeat("-", width-done),
			float64(now)/job.Second, float64(until)/job.Second, phrase.Times(ratio))
	}
}

// exploring draws how far an exploration is.
func (t *terminal) exploring(p job.Progress, start time.Time) {
	at := time.Now()
	if !t.tty || t.quiet || at.Sub(t.lastDraw) < frame || at.Sub(start) < frame {
		return
	}
	t.lastDraw, t.drawn = at, true
	if p.Kind == job.Following {
		fmt.Fprintf(os.Stderr, "\r\x1b[Kexploring: %.1f of %.1f s; %s outcomes, %s states, %s instructions, %s", float64(p.Now)/job.Second,
			float64(p.Until)/job.Second, phrase.Grouped(uint64(p.Outcomes)), phrase.Grouped(p.States), phrase.Grouped(p.Instructions), phrase.Counted(p.Findings, "suspect"))
		return
	}
	if p.Inputs > 0 {
		fmt.Fprintf(os.Stderr, "\r\x1b[K%s: %s inputs, %s/s; %s events; %s blocks of code; %s; nothing new for %d s", p.Text, phrase.Grouped(p.Inputs),
			phrase.Grouped(uint64(float64(p.Inputs)/at.Sub(start).Seconds())), phrase.Grouped(p.Events), phrase.Grouped(uint64(p.Blocks)),
			phrase.Counted(p.Findings, "finding"), p.Since)
		return
	}
	fmt.Fprintf(os.Stderr, "\r\x1b[K%s: %s events, %s/s; search: %s states, depth %d; %s walks", p.Text, phrase.Grouped(p.Events),
		phrase.Grouped(uint64(float64(p.Events)/at.Sub(start).Seconds())), phrase.Grouped(p.States), p.Depth, phrase.Grouped(p.Walks))
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
