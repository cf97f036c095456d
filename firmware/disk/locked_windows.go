package disk

import (
	"errors"
	"os"
	"syscall"
)

// OpenLocked opens a file for this process alone; ErrInUse if another one has it. The lock ends with the process, however that ends.
func OpenLocked(path string) (*os.File, error) {
	const sharingViolation syscall.Errno = 32
	name, err := syscall.UTF16PtrFromString(path)
	if err != nil {
		return nil, err
	}
	h, err := syscall.CreateFile(name, syscall.GENERIC_READ|syscall.GENERIC_WRITE, 0, nil, syscall.OPEN_ALWAYS, syscall.FILE_ATTRIBUTE_NORMAL, 0)
	switch {
	case errors.Is(err, sharingViolation):
		return nil, ErrInUse
	case err != nil:
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	return os.NewFile(uintptr(h), path), nil
}
