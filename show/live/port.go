package live

import (
	"context"
	"fmt"
	"io"

	"motehound/firmware/disk"
)

// Stdio is the standard input and output of the process, for Specs of that kind.
type Stdio struct {
	Log      func(line string) // for what a person should know of a peer
	In       io.Reader
	Out      io.Writer
	Terminal bool // a person types
}

// port is a mote's serial line with the host's end of it.
type port struct {
	Mote        int // index in the world
	USART       uint8
	ResetOnOpen bool // opening the host's end resets the mote, as boards do that wire DTR to their reset pin

	peer peer
	in   []byte // from the host, not yet on the line
	out  []byte // from the mote, not yet given to the host
}

// peer is the host's end of a serial line.
type peer interface {
	// where tells a user how to reach it.
	where() string
	// live reports whether somebody with a clock of his own is at the other end.
	live() bool
	// receive gives what has come from the host since the last call, without waiting.
	receive() []byte
	// send gives bytes to the host. It may wait for a host that is slow to take them.
	send(ctx context.Context, data []byte) error
	close() error
}

// opener is a peer that knows when somebody opens its end.
type opener interface {
	// opened reports whether somebody has opened it since the last call.
	opened() bool
}

// source is a peer whose input time can wait for, because nobody answers in it.
type source interface {
	// wait waits until receive has something or nothing can come any more.
	wait(ctx context.Context)
}

// finisher is a peer that has something to do when the run is over and went well.
type finisher interface {
	finish() error
}

// openPort makes the host's end of a serial line. Mote, USART and ResetOnOpen are left to the caller.
func openPort(s Spec, stdio Stdio) (*port, error) {
	var (
		p   peer
		err error
	)
	switch s.Kind {
	case "stdio":
		p = newStdio(stdio)
	case "pty":
		p, err = newPTY(s.Arg)
	case "tcp":
		p, err = newTCP(s.Arg)
	case "sf":
		p, err = newSF(s.Arg, stdio.Log)
	case "file":
		p, err = newFile(s.Arg, s.In)
	default:
		panic("BUG: ParseSpec let through the kind " + s.Kind)
	}
	if err != nil {
		return nil, err
	}
	return &port{peer: p}, nil
}

// where tells a user how to reach the port.
func (p *port) where() string { return p.peer.where() }

// live reports whether somebody with a clock of his own is at the other end, so that time should pass as it does for him.
func (p *port) live() bool { return p.peer.live() }

// Close ends the host's side.
func (p *port) Close() error { return p.peer.close() }

// stdioPeer is standard input and output.
type stdioPeer struct {
	stdio Stdio
	in    chan []byte // closed at the end of the input
	next  []byte
}

func newStdio(s Stdio) *stdioPeer {
	p := &stdioPeer{stdio: s, in: make(chan []byte)}
	go pump(s.In, p.in)
	return p
}

// pump reads until the end. Each piece must be taken before the next is read, so a quick sender waits.
func pump(r io.Reader, to chan<- []byte) {
	defer close(to)
	for {
		b := make([]byte, 4096)
		n, err := r.Read(b)
		if n > 0 {
			to <- b[:n]
		}
		if err != nil {
			return
		}
	}
}

func (p *stdioPeer) where() string { return "standard input and output" }
func (p *stdioPeer) live() bool    { return p.stdio.Terminal }
func (p *stdioPeer) close() error  { return nil }

func (p *stdioPeer) receive() []byte {
	b := p.next
	p.next = nil
	if b == nil {
		select {
		case b = <-p.in:
		default:
		}
	}
	return b
}

func (p *stdioPeer) wait(ctx context.Context) {
	if p.next == nil {
		select {
		case p.next = <-p.in:
		case <-ctx.Done():
		}
	}
}

func (p *stdioPeer) send(_ context.Context, b []byte) error {
	if _, err := p.stdio.Out.Write(b); err != nil {
		return fmt.Errorf("standard output: %w", err)
	}
	return nil
}

// filePeer keeps the output in a file, and has its input from one.
type filePeer struct {
	name string
	out  *disk.File
	in   []byte
}

func newFile(out, in string) (*filePeer, error) {
	p := &filePeer{name: out}
	var err error
	if in != "" {
		if p.in, err = disk.Read(in, 64<<20); err != nil {
			return nil, fmt.Errorf("serial input: %w", err)
		}
	}
	if p.out, err = disk.Create(out, 0o666); err != nil {
		return nil, fmt.Errorf("serial output: %w", err)
	}
	return p, nil
}

func (p *filePeer) where() string { return p.name }
func (p *filePeer) live() bool    { return false }
func (p *filePeer) close() error  { return p.out.Close() }
func (p *filePeer) finish() error { return p.out.Commit() }

func (p *filePeer) receive() []byte {
	b := p.in
	p.in = nil
	return b
}

func (p *filePeer) send(_ context.Context, b []byte) error {
	_, err := p.out.Write(b)
	return err
}
