package live

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"sync"
	"time"
)

// tcpPeer listens on a TCP port. It has one client at a time; the next one waits until that has left. What the mote sends
// while nobody is there is lost, as on a wire.
type tcpPeer struct {
	l  net.Listener
	in chan []byte

	mu   sync.Mutex
	conn net.Conn // the client, or nil
	done bool
}

func newTCP(addr string) (*tcpPeer, error) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("serial line: %w", err)
	}
	p := &tcpPeer{l: l, in: make(chan []byte)}
	go p.serve()
	return p, nil
}

func (p *tcpPeer) serve() {
	for {
		c, err := p.l.Accept()
		if err != nil {
			return
		}
		if !p.join(c) {
			c.Close()
			return
		}
		p.read(c)
		p.leave()
	}
}

func (p *tcpPeer) read(c net.Conn) {
	from := make(chan []byte)
	go pump(c, from)
	for b := range from {
		p.in <- b
	}
}

func (p *tcpPeer) join(c net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.done {
		p.conn = c
	}
	return !p.done
}

func (p *tcpPeer) leave() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.conn != nil {
		p.conn.Close()
		p.conn = nil
	}
}

func (p *tcpPeer) client() net.Conn {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.conn
}

func (p *tcpPeer) where() string { return "tcp " + p.l.Addr().String() }
func (p *tcpPeer) live() bool    { return true }

func (p *tcpPeer) receive() []byte {
	select {
	case b := <-p.in:
		return b
	default:
		return nil
	}
}

// patience is how often a sender looks up from a client that takes nothing.
const patience = 100 * time.Millisecond

func (p *tcpPeer) send(ctx context.Context, b []byte) error {
	c := p.client()
	for c != nil && len(b) > 0 && ctx.Err() == nil {
		c.SetWriteDeadline(time.Now().Add(patience))
		n, err := c.Write(b)
		b = b[n:]
		if err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
			return nil // it has left, and read will notice
		}
	}
	return nil
}

func (p *tcpPeer) close() error {
	p.mu.Lock()
	p.done = true
	c := p.conn
	p.mu.Unlock()
	if t, ok := c.(*net.TCPConn); ok {
		t.CloseWrite()
	}
	return p.l.Close()
}
