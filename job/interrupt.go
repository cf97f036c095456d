package job

import (
	"context"
	"fmt"
	"time"

	"motehound/firmware/disk"
	"motehound/job/document"
	"motehound/study/verdict"
	"motehound/world"
	"motehound/world/recipe"
)

// ErrInterrupted is what the errors of interrupted jobs are.
var ErrInterrupted = verdict.ErrInterrupted

// Discard takes away the files that were begun and not finished, before the process ends.
func Discard() { disk.Discard() }

// Unfinished ends a job that has nothing to tell, since it was interrupted: its work is worth nothing before its end.
type Unfinished struct {
	LeftOut []string // besides the interruption
}

func (u *Unfinished) Error() string {
	return fmt.Sprintf("%v: there is no result", verdict.ErrInterrupted)
}

// Unwrap makes it known as an interruption.
func (u *Unfinished) Unwrap() error { return verdict.ErrInterrupted }

// Document says the same as JSON.
func (u *Unfinished) Document() document.Unfinished {
	c := verdict.Case{}
	c.Miss(verdict.Interrupted)
	c.Miss(u.LeftOut...)
	return document.Unfinished{Verdict: c.Verdict(), LeftOut: c.LeftOut}
}

// grace is how long after Ctrl-C what was found may still be proven, and what was run be summed up.
const grace = 500 * time.Millisecond

// Patience is closed when the user, who has pressed Ctrl-C, does not wait any longer.
func (h Host) Patience(ctx context.Context) (over <-chan struct{}) {
	late := make(chan struct{})
	context.AfterFunc(ctx, func() {
		if h.After != nil {
			<-h.After(grace)
			close(late)
		}
	})
	return late
}

// Over asks the same.
func Over(patience <-chan struct{}) func() bool {
	return func() bool {
		select {
		case <-patience:
			return true
		default:
			return false
		}
	}
}

// Awaited waits for work that does not end in its middle, as long as the user does. What is left behind then ends with the process.
func Awaited[T any](patience <-chan struct{}, work func() T) (result T, ok bool) {
	type outcome struct {
		result   T
		panicked any
	}
	if Over(patience)() {
		return result, false
	}
	done := make(chan outcome, 1)
	go func() {
		var x outcome
		defer func() {
			x.panicked = recover()
			done <- x
		}()
		x.result = work()
	}()
	select {
	case x := <-done:
		if x.panicked != nil {
			panic(x.panicked)
		}
		return x.result, true
	case <-patience:
		return result, false
	}
}

// Reading reads firmware and scenarios, for a user who may not wait for it.
func (h Host) Reading(ctx context.Context, name string, read func() error) error {
	h.doing("reading %s", name)
	err, ok := Awaited(h.Patience(ctx), read)
	if !ok {
		return &Unfinished{}
	}
	h.done()
	return err
}

// Load is Make for a user who may not wait for it.
func (r *World) Load(ctx context.Context, name string, h Host) (rec *recipe.Recipe, w *world.World, x *Watch, err error) {
	err = h.Reading(ctx, name, func() (err error) {
		rec, w, x, err = r.Make(name, h)
		return err
	})
	return rec, w, x, err
}
