//go:build unix

package main

import (
	"os/signal"
	"syscall"
)

// takeLimitsAsErrors makes a write beyond the limit of a file's size (ulimit -f) an error like that of a full disk, not the end of the process.
func takeLimitsAsErrors() { signal.Ignore(syscall.SIGXFSZ) }
