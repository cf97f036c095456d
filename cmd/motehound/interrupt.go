package main

import (
	"context"
	"sync/atomic"

	"motehound/job"
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

// unfinished ends a command that has nothing to tell, since the user did not wait for it.
func unfinished(term *terminal, leftOut ...string) error {
	term.clear()
	return &job.Unfinished{LeftOut: leftOut}
}
