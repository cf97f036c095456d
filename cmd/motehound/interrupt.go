package main

import (
	"errors"

	"motehound/study/verdict"
)

// unfinishedDocument is what commands print as JSON whose work is worth nothing before its end. Its fields are those of all verdicts.
type unfinishedDocument struct {
	Verdict verdict.Verdict `json:"verdict"`
	LeftOut []string        `json:"left_out"`
}

// errInterrupted ends a command that has nothing to tell, since the user did not wait for it.
var errInterrupted = errors.New(verdict.Interrupted + ": nothing is known")

// unfinished says so as JSON, too, and gives that error.
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
	return errInterrupted
}
