package disk

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// A file that may not be written is not replaced either.
func TestReadOnly(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	if err := os.WriteFile(path, []byte("old"), 0o444); err != nil {
		t.Fatal(err)
	}
	var err error
	asNobody(t, []string{filepath.Dir(dir), dir, path}, func() { err = Write(path, []byte("new"), 0o666) })
	if !errors.Is(err, os.ErrPermission) || !strings.Contains(err.Error(), path) {
		t.Errorf("got %v", err)
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != "old" {
		t.Errorf("the file has %q, %v", got, err)
	}
	alone(t, path)
}

// asNobody does something with the rights of a user who owns some files. Root, who may write everything, is another user on this thread
// meanwhile; others stay who they are.
func asNobody(t *testing.T, files []string, do func()) {
	t.Helper()
	if os.Getuid() != 0 {
		do()
		return
	}
	const nobody = 65534
	for _, f := range files {
		if err := os.Chown(f, nobody, -1); err != nil {
			t.Fatal(err)
		}
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	syscall.RawSyscall(syscall.SYS_SETFSUID, nobody, 0, 0)
	defer syscall.RawSyscall(syscall.SYS_SETFSUID, 0, 0, 0)
	do()
}
