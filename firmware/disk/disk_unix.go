//go:build unix

package disk

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// hold marks a temporary file as in use, as long as it is open. It fails if the file was taken away before.
func hold(f *os.File) bool {
	if lock(f) != nil {
		return false
	}
	ours, err1 := f.Stat()
	there, err2 := os.Lstat(f.Name())
	return err1 == nil && err2 == nil && os.SameFile(ours, there)
}

// removeAbandoned removes a temporary file that is nobody's. It holds the file meanwhile: see hold.
func removeAbandoned(name string) bool {
	f, err := os.OpenFile(name, os.O_RDWR|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	defer f.Close()
	info, err := f.Stat()
	return err == nil && info.Mode().IsRegular() && hold(f) && os.Remove(name) == nil
}

// OpenLocked opens a file for this process alone; ErrInUse if another one has it. The lock ends with the process, however that ends.
func OpenLocked(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	if err := lock(f); err != nil {
		if errors.Is(err, syscall.EWOULDBLOCK) {
			err = ErrInUse
		}
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

func lock(f *os.File) error {
	for {
		if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}

// keepOwner gives the file the old one's owner and group if it is allowed to; else it is ours.
func keepOwner(f *os.File, old fs.FileInfo) {
	if s, ok := old.Sys().(*syscall.Stat_t); ok {
		_ = f.Chown(int(s.Uid), int(s.Gid))
	}
}

// syncFolder brings a rename to the disk. Some file systems cannot.
func syncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		if errors.Is(err, fs.ErrPermission) { // a folder to write in, but not to list
			return nil
		}
		return err
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) && !errors.Is(err, syscall.ENOTSUP) {
		return err
	}
	return nil
}
