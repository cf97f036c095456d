package live

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"
	"unsafe"
)

// ptyPeer is a pseudo terminal in raw mode: programs open its slave as they open a serial port. What the mote sends while
// nobody has it open is lost, as on a wire.
type ptyPeer struct {
	master int
	slave  string
	link   string
	watch  int  // an inotify descriptor, which tells of everybody who opens and closes the slave
	open   int  // how many have it open
	risen  bool // somebody has opened it, and opened has not told yet
	buf    [4096]byte
}

func newPTY(link string) (*ptyPeer, error) {
	fd, err := syscall.Open("/dev/ptmx", syscall.O_RDWR|syscall.O_NOCTTY|syscall.O_CLOEXEC|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, fmt.Errorf("no pseudo terminal: /dev/ptmx: %w; use tcp instead", err)
	}
	p := &ptyPeer{master: fd, watch: -1}
	if err := p.setUp(); err != nil {
		p.close()
		return nil, fmt.Errorf("no pseudo terminal: %w; use tcp instead", err)
	}
	if err := p.makeLink(link); err != nil {
		p.close()
		return nil, err
	}
	return p, nil
}

func (p *ptyPeer) setUp() error {
	var unlocked, number uint32
	if err := ioctl(p.master, syscall.TIOCSPTLCK, unsafe.Pointer(&unlocked)); err != nil {
		return err
	}
	if err := ioctl(p.master, syscall.TIOCGPTN, unsafe.Pointer(&number)); err != nil {
		return err
	}
	p.slave = fmt.Sprintf("/dev/pts/%d", number)
	var err error
	if p.watch, err = syscall.InotifyInit1(syscall.IN_NONBLOCK | syscall.IN_CLOEXEC); err != nil {
		return fmt.Errorf("inotify: %w", err)
	}
	if _, err := syscall.InotifyAddWatch(p.watch, p.slave, syscall.IN_OPEN|syscall.IN_CLOSE); err != nil {
		return fmt.Errorf("%s: %w", p.slave, err)
	}
	var t syscall.Termios
	if err := ioctl(p.master, syscall.TCGETS, unsafe.Pointer(&t)); err != nil {
		return err
	}
	// cfmakeraw(3): bytes pass as they are.
	t.Iflag &^= syscall.IGNBRK | syscall.BRKINT | syscall.PARMRK | syscall.ISTRIP | syscall.INLCR | syscall.IGNCR |
		syscall.ICRNL | syscall.IXON
	t.Oflag &^= syscall.OPOST
	t.Lflag &^= syscall.ECHO | syscall.ECHONL | syscall.ICANON | syscall.ISIG | syscall.IEXTEN
	t.Cflag = t.Cflag&^(syscall.CSIZE|syscall.PARENB) | syscall.CS8
	return ioctl(p.master, syscall.TCSETS, unsafe.Pointer(&t))
}

// makeLink makes a symbolic link to the slave, in place of one that an earlier run may have left.
func (p *ptyPeer) makeLink(link string) error {
	if link == "" {
		return nil
	}
	if fi, err := os.Lstat(link); err == nil && fi.Mode()&os.ModeSymlink != 0 {
		os.Remove(link)
	}
	if err := os.Symlink(p.slave, link); err != nil {
		return fmt.Errorf("link to the pseudo terminal: %w", err)
	}
	p.link = link
	return nil
}

func ioctl(fd int, request uintptr, arg unsafe.Pointer) error {
	if _, _, e := syscall.Syscall(syscall.SYS_IOCTL, uintptr(fd), request, uintptr(arg)); e != 0 {
		return e
	}
	return nil
}

func (p *ptyPeer) where() string { return p.slave }
func (p *ptyPeer) live() bool    { return true }

func (p *ptyPeer) receive() []byte {
	n, err := syscall.Read(p.master, p.buf[:])
	if errors.Is(err, syscall.EIO) {
		p.open = 0 // nobody has it open, however they were counted: inotify merges equal events
	}
	if n <= 0 {
		return nil
	}
	return append([]byte(nil), p.buf[:n]...)
}

func (p *ptyPeer) opened() bool {
	p.look()
	was := p.risen
	p.risen = false
	return was
}

// look counts who has the slave open. When that goes from nobody to somebody, DTR of a real port rises.
func (p *ptyPeer) look() {
	for {
		n, err := syscall.Read(p.watch, p.buf[:])
		if err != nil || n <= 0 {
			return
		}
		for at := 0; at+syscall.SizeofInotifyEvent <= n; {
			// struct inotify_event: wd, mask, cookie, len, and len bytes of a name.
			mask, length := binary.NativeEndian.Uint32(p.buf[at+4:]), binary.NativeEndian.Uint32(p.buf[at+12:])
			switch {
			case mask&syscall.IN_OPEN != 0:
				p.risen = p.risen || p.open == 0
				p.open++
			case mask&syscall.IN_CLOSE != 0:
				p.open = max(p.open-1, 0)
			}
			at += syscall.SizeofInotifyEvent + int(length)
		}
	}
}

func (p *ptyPeer) send(ctx context.Context, b []byte) error {
	for p.open > 0 && len(b) > 0 && ctx.Err() == nil {
		n, err := syscall.Write(p.master, b)
		switch {
		case n > 0:
			b = b[n:]
		case errors.Is(err, syscall.EAGAIN):
			time.Sleep(time.Millisecond) // its buffer is full: time waits for the reader
			p.look()
		case !errors.Is(err, syscall.EINTR):
			return nil // it was closed
		}
	}
	return nil
}

func (p *ptyPeer) close() error {
	if to, err := os.Readlink(p.link); p.link != "" && err == nil && to == p.slave {
		os.Remove(p.link)
	}
	if p.watch >= 0 {
		syscall.Close(p.watch)
	}
	return syscall.Close(p.master)
}
