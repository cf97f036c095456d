package gdb

import (
	"bufio"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// maxWaiting is how many packets of a client wait while the network runs. A client has no reason to send any.
	maxWaiting = 64
	// patience is how long a client may take to read what it asked for.
	patience = time.Minute
	// goodbye is how long it may go on to talk when we have hung up.
	goodbye = time.Second
)

// line is a connection with a client. One goroutine reads; the session writes.
type line struct {
	conn net.Conn
	last []byte // the last packet sent
	gone atomic.Bool
	// interrupted is the number of the packet that the client has sent before it last asked to stop: what it asked before a later packet is over.
	interrupted atomic.Uint64

	mu      sync.Mutex
	changed sync.Cond
	waiting []input
	running bool // only an interrupt is expected
	closed  bool // by us
}

// newLine begins to read from a connection.
func newLine(conn net.Conn) *line {
	l := &line{conn: conn}
	l.changed.L = &l.mu
	go l.read()
	return l
}

// read passes on what the client sends, until it leaves.
func (l *line) read() {
	r := bufio.NewReader(l.conn)
	seq := uint64(0)
	for {
		x, err := receive(r)
		if err == nil && x.kind == interrupt {
			l.interrupted.Store(seq)
			continue
		}
		seq++
		x.seq = seq
		if err != nil || !l.put(x) {
			break
		}
	}
	l.mu.Lock()
	l.gone.Store(true)
	l.changed.Broadcast()
	l.mu.Unlock()
}

// put has something wait. A client that sends too much is held up while we answer, and refused while the network runs: then we could not see that
// it leaves.
func (l *line) put(x input) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(l.waiting) == maxWaiting && !l.running && !l.closed {
		l.changed.Wait()
	}
	if len(l.waiting) == maxWaiting || l.closed {
		return false
	}
	l.waiting = append(l.waiting, x)
	l.changed.Broadcast()
	return true
}

// take gives what the client sent next, and waits for it; it is false when the client has left.
func (l *line) take() (input, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(l.waiting) == 0 && !l.gone.Load() {
		l.changed.Wait()
	}
	if len(l.waiting) == 0 {
		return input{}, false
	}
	x := l.waiting[0]
	l.waiting = append(l.waiting[:0], l.waiting[1:]...)
	l.changed.Broadcast()
	return x, true
}

// setRunning says whether the network runs.
func (l *line) setRunning(on bool) {
	l.mu.Lock()
	l.running = on
	l.changed.Broadcast()
	l.mu.Unlock()
}

// halt reports whether the client wants what a packet began to stop, or has left.
func (l *line) halt(seq uint64) bool { return l.gone.Load() || l.interrupted.Load() >= seq }

// send sends a packet.
func (l *line) send(data []byte) error {
	l.last = frame(data)
	return l.write(l.last)
}

// write sends bytes.
func (l *line) write(b []byte) error {
	if err := l.conn.SetWriteDeadline(time.Now().Add(patience)); err != nil {
		return err
	}
	_, err := l.conn.Write(b)
	return err
}

// close ends the connection. What the client has still to say is read first, so that it sees an end and not a failure.
func (l *line) close() {
	if c, ok := l.conn.(*net.TCPConn); ok && !l.gone.Load() {
		_ = c.CloseWrite()
		go func() {
			_ = c.SetReadDeadline(time.Now().Add(goodbye))
			_, _ = io.Copy(io.Discard, c)
			c.Close()
		}()
	} else {
		l.conn.Close()
	}
	l.mu.Lock()
	l.closed = true
	l.changed.Broadcast()
	l.mu.Unlock()
}
