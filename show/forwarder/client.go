package forwarder

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"time"

	"motehound/world/serialframe"
)

// The greeting of the TinyOS 2 protocol, and the version that this program speaks. The lower version of the two sides holds.
const (
	greeting = 'U'
	version  = ' '
)

// client is a program that is connected.
type client struct {
	conn net.Conn
	r    *bufio.Reader
	wake chan struct{} // the queue has something

	mu    sync.Mutex
	queue []byte // what it has yet to be sent
}

func newClient(conn net.Conn) *client {
	return &client{conn: conn, r: bufio.NewReader(conn), wake: make(chan struct{}, 1)}
}

// give puts packets into the client's queue, and reports whether there was room.
func (c *client) give(packets [][]byte) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, p := range packets {
		if len(c.queue)+1+len(p) > maxQueue {
			return false
		}
		c.queue = append(c.queue, byte(len(p)))
		c.queue = append(c.queue, p...)
	}
	select {
	case c.wake <- struct{}{}:
	default:
	}
	return true
}

func (c *client) take() []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	b := c.queue
	c.queue = nil
	return b
}

// serve does all for a client from its greeting to its end.
func (s *Server) serve(c *client) {
	defer s.running.Done()
	if err := s.greet(c); err != nil {
		s.drop(c, err)
		return
	}
	gone, written := make(chan struct{}), make(chan struct{})
	go func() {
		s.write(c, gone)
		close(written)
	}()
	err := s.read(c)
	switch {
	case s.closing():
		<-written // the mote's last packets
	case err != nil:
		s.drop(c, err)
	}
	s.remove(c)
	close(gone)
	<-written
}

// greet exchanges greetings; from then on the client gets packets.
func (s *Server) greet(c *client) error {
	c.conn.SetDeadline(time.Now().Add(s.patience))
	if _, err := c.conn.Write([]byte{greeting, version}); err != nil {
		return err
	}
	var theirs [2]byte
	switch n, err := io.ReadFull(c.r, theirs[:]); {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return fmt.Errorf("no greeting within %v", s.patience)
	case err != nil:
		return fmt.Errorf("it left after %d bytes of its greeting", n)
	case theirs[0] != greeting || theirs[1] < version:
		return fmt.Errorf("its greeting is %q, not %q: it does not speak the protocol of TinyOS 2", theirs[:],
			[]byte{greeting, version})
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing() {
		return net.ErrClosed
	}
	c.conn.SetDeadline(time.Time{})
	s.clients[c] = true
	return nil
}

// read passes the client's packets on to the mote, until it leaves. The error is what it did wrong.
func (s *Server) read(c *client) error {
	for {
		c.conn.SetReadDeadline(time.Time{}) // a client need not say anything
		if s.closing() {                    // after the deadline, because Close sets one too
			return nil
		}
		length, err := c.r.ReadByte()
		switch {
		case err != nil:
			return nil
		case length == 0 || length > serialframe.MaxToMote:
			return fmt.Errorf("it sent a packet of %d bytes; a mote takes 1 to %d", length, serialframe.MaxToMote)
		}
		c.conn.SetReadDeadline(time.Now().Add(s.patience))
		packet := make([]byte, length)
		switch n, err := io.ReadFull(c.r, packet); {
		case errors.Is(err, os.ErrDeadlineExceeded):
			return fmt.Errorf("it sent %d bytes of a packet of %d, and no more within %v", n, length, s.patience)
		case err != nil:
			return fmt.Errorf("it left after %d bytes of a packet of %d", n, length)
		}
		select {
		case s.packets <- packet:
		case <-s.done:
			return nil
		}
	}
}

// write sends the client what is queued for it, until it is gone or the forwarder ends. When it cannot, read will notice
// too: it may still find packets that the client sent before it left.
func (s *Server) write(c *client, gone <-chan struct{}) {
	for last := false; !last; {
		select {
		case <-c.wake:
		case <-gone:
			return
		case <-s.done:
			last = true
		}
		if _, err := c.conn.Write(c.take()); err != nil {
			return
		}
	}
}
