//go:build unix

package main

import (
	"syscall"
	"time"
)

// worked is the CPU time that this process has taken.
func worked() (time.Duration, error) {
	var r syscall.Rusage
	err := syscall.Getrusage(syscall.RUSAGE_SELF, &r)
	return time.Duration(r.Utime.Nano() + r.Stime.Nano()), err
}
