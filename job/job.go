// Package job is what can be asked of Motehound. Each job is a value: a request of plain data, which JSON can hold. Its method Do does the
// work under a context, reports progress to the caller, and returns a document (package document). The command line is one caller among
// others: see docs/go.md.
//
// Invariants: a request has the command's flags as fields, by the same names, and errors name them as the command line does. A job writes
// nothing to the terminal and asks no clock but the caller's. When the context ends, a job stops soon and returns what it has; if that is
// nothing, the error is an Unfinished.
package job

import (
	"context"
	"fmt"
	"io"
	"sync"
	"time"

	"motehound/world"
)

// Host is the caller's side of a job. Every field may be nil.
type Host struct {
	// Progress is told what happens. It is called by one goroutine at a time.
	Progress func(Progress)
	// Now is the host's clock, for budgets and speeds. Without it no time passes.
	Now func() time.Time
	// Connect attaches something to a run's world before it starts. Without it nobody is at the motes' lines.
	Connect func(*world.World) (Session, error)
	// Attach has a world observed for something that is made of its run, before the run begins. Done is called when the run is over. The motes of
	// an explored run have no common clock.
	Attach func(w *world.World, explored bool) (done func() error, err error)
	// Debug, if set, is given the run before it is made: somebody travels in it, and changes nothing. Then it is made.
	Debug func(context.Context, *Journey) error
	// Collect sets how much garbage the process lets pile up, in percent, as debug.SetGCPercent does: less collecting explores faster.
	Collect func(percent int) int
	// Stdout and Stderr are for the programs that a job runs, and Notes for what is said of them.
	Stdout, Stderr, Notes io.Writer
	// After is the host's alarm clock. Without it a job that is interrupted takes the time that it needs.
	After func(time.Duration) <-chan time.Time
}

// Second is a second of virtual time, in the picoseconds of Progress.
const Second = world.Second

// Kind is what a Progress is about.
type Kind string

// The kinds of progress.
const (
	Note      Kind = "note"      // something that the user may want to know
	Say       Kind = "say"       // something that the user has to know
	Line      Kind = "line"      // a line of a trace that was asked for
	Doing     Kind = "doing"     // what the job does now; no text: it is done
	Running   Kind = "running"   // a run is at Now of Until; it begins with 0
	Following Kind = "following" // symbolic is at Now of Until; it begins with 0
	Exploring Kind = "exploring" // so much was explored; it begins with nothing
)

// Progress is one message from a job that is under way.
type Progress struct {
	Kind         Kind   `json:"kind"`
	Text         string `json:"text,omitempty"`
	Now          uint64 `json:"now_ps,omitempty"` // virtual time, in picoseconds
	Until        uint64 `json:"until_ps,omitempty"`
	Events       uint64 `json:"events,omitempty"`
	States       uint64 `json:"states,omitempty"`
	Outcomes     int    `json:"outcomes,omitempty"`
	Instructions uint64 `json:"instructions,omitempty"`
	Findings     int    `json:"findings,omitempty"` // that may be some
	Depth        int    `json:"depth,omitempty"`    // of a search
	Walks        uint64 `json:"walks,omitempty"`
	Inputs       uint64 `json:"inputs,omitempty"`  // that were made up
	Blocks       int    `json:"blocks,omitempty"`  // of code that inputs have reached, of all firmware
	Since        uint64 `json:"since_s,omitempty"` // seconds of the host since something new was seen
}

func (h Host) tell(p Progress) {
	if h.Progress != nil {
		h.Progress(p)
	}
}

func (h Host) note(format string, args ...any) {
	h.tell(Progress{Kind: Note, Text: fmt.Sprintf(format, args...)})
}

func (h Host) say(format string, args ...any) {
	h.tell(Progress{Kind: Say, Text: fmt.Sprintf(format, args...)})
}

func (h Host) line(format string, args ...any) {
	h.tell(Progress{Kind: Line, Text: fmt.Sprintf(format, args...)})
}

func (h Host) doing(format string, args ...any) {
	h.tell(Progress{Kind: Doing, Text: fmt.Sprintf(format, args...)})
}

// done ends what doing and running have told of.
func (h Host) done() { h.tell(Progress{Kind: Doing}) }

// running tells of a run as it goes on.
func (h Host) running(until uint64) func(now uint64) {
	if h.Progress == nil {
		return nil
	}
	tell := func(now uint64) {
		h.Progress(Progress{Kind: Running, Now: now, Until: until})
	}
	tell(0)
	return tell
}

func (h Host) now() time.Time {
	if h.Now == nil {
		return time.Time{}
	}
	return h.Now()
}

func (h Host) collect(percent int) {
	if h.Collect != nil {
		h.Collect(percent)
	}
}

// oneAtATime is the same host for jobs with several goroutines.
func (h Host) oneAtATime() Host {
	if tell := h.Progress; tell != nil {
		mu := new(sync.Mutex)
		h.Progress = func(p Progress) {
			mu.Lock()
			defer mu.Unlock()
			tell(p)
		}
	}
	return h
}

// quiet is the same host, except for notes.
func (h Host) quiet() Host {
	tell := h.Progress
	h.Progress = func(p Progress) {
		if p.Kind != Note && tell != nil {
			tell(p)
		}
	}
	return h
}
