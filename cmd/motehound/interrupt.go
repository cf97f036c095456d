package main

import (
	"context"
	"sync/atomic"
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
