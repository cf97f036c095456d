//go:build !unix

package main

import (
	"errors"
	"time"
)

// worked is not known here.
func worked() (time.Duration, error) { return 0, errors.New("-cpu needs a Unix system") }
