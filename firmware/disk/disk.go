// Package disk reads files from outside and writes the files that people keep.
//
// Invariants: a file is replaced as a whole. However a write ends (an error, a full disk, a signal, a power failure), the file has
// the old content or the new one, never a part. Only regular files are read: a device or a pipe given by mistake neither blocks
// nor fills the memory.
package disk

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
)

// ErrInUse is the error of a file that another process has.
var ErrInUse = errors.New("another process has it")

// Read reads a regular file of at most limit bytes.
func Read(path string, limit int64) ([]byte, error) {
	if err := regular(os.Stat(path)); err != nil {
		return nil, refused(path, err)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if err := regular(f.Stat()); err != nil { // another one may stand there by now
		return nil, refused(path, err)
	}
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	switch {
	case err != nil:
		return nil, err
	case int64(len(data)) > limit:
		return nil, fmt.Errorf("%s is larger than %s", path, size(limit))
	}
	return data, nil
}

func size(n int64) string {
	if n >= 1<<20 && n%(1<<20) == 0 {
		return fmt.Sprintf("%d MiB", n>>20)
	}
	return fmt.Sprintf("%d bytes", n)
}

func regular(info fs.FileInfo, err error) error {
	switch {
	case err != nil:
		return err
	case info.IsDir():
		return errors.New("is a folder: name a file in it")
	case info.Mode().IsRegular():
		return nil
	case info.Mode()&fs.ModeNamedPipe != 0:
		return errors.New("is a pipe: save its content in a file first")
	}
	return errors.New("is a device or a socket: give a file")
}

// refused names the file, unless the error does already.
func refused(path string, err error) error {
	if errors.As(err, new(*fs.PathError)) {
		return err
	}
	return fmt.Errorf("%s %w", path, err)
}

// Write replaces a file's content. A new file gets the permissions perm, less the umask.
func Write(path string, data []byte, perm fs.FileMode) error {
	return Replace(path, perm, func(to io.Writer) error {
		_, err := to.Write(data)
		return err
	})
}

// Replace replaces a file's content by what the function writes, unless that fails.
func Replace(path string, perm fs.FileMode, write func(io.Writer) error) error {
	f, err := Create(path, perm)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := write(f); err != nil {
		return named(path, err)
	}
	return f.Commit()
}

// named names the file that the user knows in place of the temporary one.
func named(path string, err error) error {
	if p := new(fs.PathError); errors.As(err, &p) {
		return &fs.PathError{Op: p.Op, Path: path, Err: p.Err}
	}
	return err
}

// File is the new content of a file. The old one stands until Commit.
type File struct {
	path   string // as the user has named it
	target string // behind symbolic links
	file   *os.File
	direct bool // what is no regular file is written as it comes
	ours   bool // file is to be closed
	done   bool
}

// Create begins the new content of a file. Something else than a regular file, such as /dev/null, /dev/stdout or a pipe, is written at once.
func Create(path string, perm fs.FileMode) (*File, error) {
	f := &File{path: path}
	if f.file = standard(path); f.file != nil {
		f.direct = true
		return f, nil
	}
	f.ours = true
	target, special, err := follow(path)
	if err != nil {
		return nil, err
	}
	f.target = target
	old, err := os.Stat(target)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, named(path, err)
	case old.IsDir():
		return nil, fmt.Errorf("%s is a folder: name a file in it", path)
	case special || !old.Mode().IsRegular():
		f.direct = true
		f.file, err = os.OpenFile(path, os.O_WRONLY|os.O_TRUNC, 0)
		return f, err
	default:
		if err := writable(target); err != nil {
			return nil, named(path, err)
		}
		perm = old.Mode().Perm()
	}
	if f.file, err = temporary(target, perm); err != nil {
		return nil, named(path, err)
	}
	begun.add(f)
	if old != nil {
		if err := sameAccess(f.file, old); err != nil {
			return nil, errors.Join(named(path, err), f.Close())
		}
	}
	return f, nil
}

// standard is the process's own output by its name in the file system: opening that again would begin the file behind it anew.
func standard(path string) *os.File {
	switch filepath.Clean(path) {
	case "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1":
		return os.Stdout
	case "/dev/stderr", "/dev/fd/2", "/proc/self/fd/2":
		return os.Stderr
	}
	return nil
}

// follow finds what is behind symbolic links, also where nothing is there yet. Special is what leads through /proc or /dev: files that
// others have open.
func follow(path string) (target string, special bool, err error) {
	const most = 40 // as Linux
	target = path
	for range most {
		link, err := os.Readlink(target)
		if err != nil { // no link, or nothing there
			return target, special, nil
		}
		special = special || strings.HasPrefix(target, "/proc/") || strings.HasPrefix(target, "/dev/")
		if special {
			return target, true, nil
		}
		if filepath.IsAbs(link) {
			target = link
		} else {
			target = filepath.Join(filepath.Dir(target), link)
		}
	}
	return "", false, fmt.Errorf("%s: too many symbolic links", path)
}

// writable reports whether a file may be written. A rename asks only the folder.
func writable(path string) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return f.Close()
}

// sameAccess gives the new file the old one's permissions, and its owner where we may.
func sameAccess(f *os.File, old fs.FileInfo) error {
	keepOwner(f, old)
	return f.Chmod(old.Mode().Perm())
}

// temporary makes a file beside the target. What a killed process has left behind is taken over, so that there is never more of it than
// processes that write the file.
func temporary(target string, perm fs.FileMode) (*os.File, error) {
	const most = 100
	for n := range most {
		name := filepath.Join(filepath.Dir(target), "."+filepath.Base(target)+"."+strconv.Itoa(n)+".tmp")
		for range most {
			f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_RDWR, perm)
			if err == nil && hold(f) {
				return f, nil
			}
			if err == nil { // somebody took it for abandoned, just now
				f.Close()
				continue
			}
			if !errors.Is(err, fs.ErrExist) {
				return nil, err
			}
			if !removeAbandoned(name) {
				break
			}
		}
	}
	return nil, fmt.Errorf("%s: its folder has no room for one more temporary file: remove .%s.*.tmp", target, filepath.Base(target))
}

// Write adds to the new content.
func (f *File) Write(data []byte) (int, error) { return f.file.Write(data) }

// Commit puts the new content in the old one's place. It is on the disk when Commit returns.
func (f *File) Commit() error {
	if f.done {
		return nil
	}
	if f.direct {
		return f.Close()
	}
	f.done = true
	begun.remove(f)
	if err := f.file.Sync(); err != nil {
		return named(f.path, errors.Join(err, f.discard()))
	}
	if err := os.Rename(f.file.Name(), f.target); err != nil {
		return fmt.Errorf("%s cannot be replaced: %w", f.path, errors.Join(err, f.discard()))
	}
	if err := f.file.Close(); err != nil {
		return named(f.path, err)
	}
	return named(f.path, syncFolder(filepath.Dir(f.target)))
}

// Close gives up what was not committed.
func (f *File) Close() error {
	if f.done {
		return nil
	}
	f.done = true
	begun.remove(f)
	switch {
	case f.direct && f.ours:
		return named(f.path, f.file.Close())
	case f.direct:
		return nil
	}
	return f.discard()
}

// begun is the files of this process that are not committed yet.
var begun register

type register struct {
	mu    sync.Mutex
	files map[*File]bool
}

func (r *register) add(f *File) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.files == nil {
		r.files = map[*File]bool{}
	}
	r.files[f] = true
}

func (r *register) remove(f *File) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.files, f)
}

// Discard takes away what was begun and not committed. It is for the end of a process that ends early.
func Discard() {
	begun.mu.Lock()
	defer begun.mu.Unlock()
	for f := range begun.files {
		_ = os.Remove(f.file.Name()) // it is litter at worst
	}
	clear(begun.files)
}

func (f *File) discard() error { return errors.Join(os.Remove(f.file.Name()), f.file.Close()) }
