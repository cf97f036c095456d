package main

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"motehound/study/verdict"
)

// unfinishedDocument is what commands print as JSON whose work is worth nothing before its end. Its fields are those of all verdicts.
type unfinishedDocument struct {
	Verdict verdict.Verdict `json:"verdict"`
	LeftOut []string        `json:"left_out"`
}

// unfinished ends a command that has nothing to tell, since the user did not wait for it.
func unfinished(term *terminal, json bool, leftOut ...string) error {
	term.clear()
	c := verdict.Case{}
	c.Miss(verdict.Interrupted)
	c.Miss(leftOut...)
	if json {
		if err := writeJSON(stdout, unfinishedDocument{c.Verdict(), c.LeftOut}); err != nil {
			return err
		}
	}
	return fmt.Errorf("%w: nothing is known", verdict.ErrInterrupted)
}

// grace is how long after Ctrl-C what was found may still be proven.
const grace = 500 * time.Millisecond

// patience tells when the user, who has pressed Ctrl-C, does not wait any longer.
func patience(ctx context.Context) (over func() bool) {
	var since atomic.Pointer[time.Time]
	context.AfterFunc(ctx, func() {
		now := time.Now()
		since.Store(&now)
	})
	return func() bool {
		from := since.Load()
		return from != nil && time.Since(*from) > grace
	}
}
