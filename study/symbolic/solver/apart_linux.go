package solver

import "syscall"

// apart has a program not hear of Ctrl-C, which is for us: it would answer half a query. It ends when we do.
func apart() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
