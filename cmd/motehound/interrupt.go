package main

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"motehound/study/verdict"
	"motehound/world"
	"motehound/world/recipe"
)

// interrupts is the context of a command. It knows whether the command has seen that it was interrupted: one that was done before it looked
// ends as usual.
type interrupts struct {
	context.Context
	seen atomic.Bool
}

func (i *interrupts) Err() error {
	err := i.Context.Err()
	if err != nil {
		i.seen.Store(true)
	}
	return err
}

// unfinishedDocument is what commands print as JSON whose work is worth nothing before its end. Its fields are those of all verdicts.
type unfinishedDocument struct {
	Verdict verdict.Verdict `json:"verdict"`
	LeftOut []string        `json:"left_out"`
}

// unfinished ends a command that has nothing to tell, since the user did not wait for it. It says so as JSON, too, once.
func unfinished(term *terminal, leftOut ...string) error {
	term.clear()
	c := verdict.Case{}
	c.Miss(verdict.Interrupted)
	c.Miss(leftOut...)
	if term.json && !term.ended {
		if err := writeJSON(stdout, unfinishedDocument{c.Verdict(), c.LeftOut}); err != nil {
			return err
		}
	}
	term.ended = true
	return fmt.Errorf("%w: there is no result", verdict.ErrInterrupted)
}

// grace is how long after Ctrl-C what was found may still be proven, and what was run be summed up.
const grace = 500 * time.Millisecond

// patience is closed when the user, who has pressed Ctrl-C, does not wait any longer.
func patience(ctx context.Context) (over <-chan struct{}) {
	late := make(chan struct{})
	context.AfterFunc(ctx, func() { time.AfterFunc(grace, func() { close(late) }) })
	return late
}

// over asks the same.
func over(patience <-chan struct{}) func() bool {
	return func() bool {
		select {
		case <-patience:
			return true
		default:
			return false
		}
	}
}

// awaited waits for work that does not end in its middle, as long as the user does. What is left behind then ends with the process.
func awaited[T any](patience <-chan struct{}, work func() T) (result T, ok bool) {
	type outcome struct {
		result   T
		panicked any
	}
	if over(patience)() {
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

// reading reads firmware and scenarios, for a user who may not wait for it.
func reading(ctx context.Context, term *terminal, name string, read func() error) error {
	term.doing("reading %s", name)
	err, ok := awaited(patience(ctx), read)
	if !ok {
		return unfinished(term)
	}
	term.clear()
	return err
}

// load is world for a user who may not wait for it.
func (f *worldFlags) load(ctx context.Context, name string, term *terminal) (rec *recipe.Recipe, w *world.World, x *watch, err error) {
	err = reading(ctx, term, name, func() (err error) {
		rec, w, x, err = f.world(name, term)
		return err
	})
	return rec, w, x, err
}
