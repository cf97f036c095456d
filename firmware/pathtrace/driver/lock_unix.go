//go:build unix

package driver

import (
	"errors"
	"os"
	"syscall"
)

// lock waits until no other compiler uses the map. Unlocking removes the file, so who has waited for it must look whether it is
// still there.
func lock(name string) (unlock func() error, err error) {
	for {
		f, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o666)
		if err != nil {
			return nil, err
		}
		for err = syscall.EINTR; errors.Is(err, syscall.EINTR); {
			err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX)
		}
		if err != nil {
			return nil, errors.Join(err, f.Close())
		}
		ours, errOurs := f.Stat()
		there, errThere := os.Stat(name)
		if errOurs == nil && errThere == nil && os.SameFile(ours, there) {
			return func() error { return errors.Join(os.Remove(name), f.Close()) }, nil
		}
		if err := f.Close(); err != nil {
			return nil, err
		}
	}
}
