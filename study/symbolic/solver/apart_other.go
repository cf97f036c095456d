//go:build !linux

package solver

import "syscall"

// apart has a program hear of Ctrl-C, too.
func apart() *syscall.SysProcAttr { return nil }
