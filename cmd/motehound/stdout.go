package main

import (
	"fmt"
	"os"
	"sync"
)

// stdout is standard output. Printing goes on when it cannot be written, and the process fails at its end.
var stdout = new(output)

type output struct {
	mu  sync.Mutex
	err error // the first
}

func (o *output) Write(data []byte) (int, error) {
	n, err := os.Stdout.Write(data)
	if err != nil {
		o.mu.Lock()
		defer o.mu.Unlock()
		if o.err == nil {
			o.err = fmt.Errorf("cannot write to standard output: %w", err)
		}
	}
	return n, err
}

// failed is what went wrong, if anything.
func (o *output) failed() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}
