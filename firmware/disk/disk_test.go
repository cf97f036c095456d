package disk

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func content(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := Write(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// alone wants no other file in the folder.
func alone(t *testing.T, path string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() != filepath.Base(path) {
			t.Errorf("%s was left behind", e.Name())
		}
	}
}

func TestOldUntilCommit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	write(t, path, "old")
	f, err := Create(path, 0o666)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(f, "new"); err != nil {
		t.Fatal(err)
	}
	if got := content(t, path); got != "old" {
		t.Errorf("before Commit the file has %q", got)
	}
	if err := f.Commit(); err != nil {
		t.Fatal(err)
	}
	if got := content(t, path); got != "new" {
		t.Errorf("after Commit the file has %q", got)
	}
	alone(t, path)
}

func TestFailedWrite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	write(t, path, "old")
	broken := errors.New("broken")
	if err := Replace(path, 0o666, func(to io.Writer) error { io.WriteString(to, "ne"); return broken }); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
	if got := content(t, path); got != "old" {
		t.Errorf("the file has %q", got)
	}
	alone(t, path)
}

func TestDiscard(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	write(t, path, "old")
	if _, err := Create(path, 0o666); err != nil {
		t.Fatal(err)
	}
	Discard()
	alone(t, path)
}

// What a killed process has left behind is reused, and what another one uses is left alone.
func TestLitter(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	litter := filepath.Join(filepath.Dir(path), ".f.0.tmp")
	if err := os.WriteFile(litter, []byte("half of someth"), 0o600); err != nil {
		t.Fatal(err)
	}
	write(t, path, "new")
	alone(t, path)
	first, err := Create(path, 0o666)
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	io.WriteString(first, "first")
	write(t, path, "second")
	if got := content(t, path); got != "second" {
		t.Errorf("the file has %q", got)
	}
	if err := first.Commit(); err != nil {
		t.Fatal(err)
	}
	if got := content(t, path); got != "first" {
		t.Errorf("the file has %q", got)
	}
	alone(t, path)
}

func TestLinksAndPermissions(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"there", "not-there"} {
		target, link := filepath.Join(dir, name), filepath.Join(dir, "link-to-"+name)
		if err := os.Symlink(name, link); err != nil {
			t.Fatal(err)
		}
		if name == "there" {
			if err := os.WriteFile(target, nil, 0o640); err != nil {
				t.Fatal(err)
			}
		}
		write(t, link, "new")
		if got := content(t, target); got != "new" {
			t.Errorf("%s has %q", target, got)
		}
		if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
			t.Errorf("%s is no link any more: %v", link, err)
		}
	}
	if info, err := os.Stat(filepath.Join(dir, "there")); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("the permissions are %v, not those of the old file", info.Mode())
	}
}

// What is no regular file is written as it is.
func TestSpecial(t *testing.T) {
	write(t, os.DevNull, "x")
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
		t.Fatalf("%s is %v", os.DevNull, info)
	}
	if err := Write("/dev/full", []byte("x"), 0o666); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("/dev/full: %v", err)
	}
	fifo := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	got := make(chan string)
	go func() {
		data, err := os.ReadFile(fifo)
		got <- string(data) + strings.Repeat("!", len(errorText(err)))
	}()
	write(t, fifo, "through it")
	if text := <-got; text != "through it" {
		t.Errorf("through the pipe came %q", text)
	}
	alone(t, fifo)
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// A file that stands for an open one is written through that, not replaced.
func TestStandardOutput(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	was := os.Stdout
	os.Stdout = file
	defer func() { os.Stdout = was }()
	io.WriteString(os.Stdout, "before ")
	write(t, "/dev/stdout", "the result ")
	io.WriteString(os.Stdout, "after")
	if got := content(t, path); got != "before the result after" {
		t.Errorf("got %q", got)
	}
}

func TestRead(t *testing.T) {
	dir := t.TempDir()
	path, fifo := filepath.Join(dir, "f"), filepath.Join(dir, "fifo")
	write(t, path, "12345")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	if data, err := Read(path, 5); err != nil || string(data) != "12345" {
		t.Errorf("got %q, %v", data, err)
	}
	for name, want := range map[string]string{path: "larger than 4 bytes", fifo: "is a pipe", dir: "is a folder", "/dev/zero": "is a device", path + "x": "no such file"} {
		if _, err := Read(name, 4); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v, want one with %q", name, err, want)
		}
	}
}
