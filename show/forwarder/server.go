// Package forwarder is a TinyOS serial forwarder for a simulated mote. Host programs that use its protocol (sflisten, the Java and
// Python tools with "sf@HOST:PORT") connect to it as they do to the forwarder of a real mote.
//
// With the mote it uses TinyOS's serial protocol (TEP 113), with its clients the serial forwarder's protocol over TCP: both sides
// send 'U' and a version, then exchange packets, each after a byte with its length. Every client gets every packet of the mote, and
// what a client sends goes to the mote.
//
// Invariants: no client can block the world. A client that sends faster than the mote reads waits. A client that does not read what
// it is sent, or breaks the protocol, is dropped, and the log says why. Times on the mote's side are virtual.
package forwarder

import (
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"time"
)

// Limits for clients.
const (
	patience   = 5 * time.Second // for a greeting, or the rest of a packet
	farewell   = time.Second     // for the last packets, at Close
	maxClients = 64
	maxQueue   = 1 << 20 // bytes that a client has not taken
)

// maxComplaints is after how many bad frames of the mote the log has enough of them.
const maxComplaints = 10

// Server is a mote's serial forwarder. Receive, Send and Close are for one goroutine: the one that runs the world.
type Server struct {
	listener   net.Listener
	patience   time.Duration
	link       link
	complaints int
	packets    chan []byte // from the clients
	done       chan struct{}
	running    sync.WaitGroup

	logging sync.Mutex
	log     func(line string)

	mu      sync.Mutex
	clients map[*client]bool // true: it has greeted
}

// Listen starts a forwarder at "[HOST:]PORT". Without a host only programs on this machine can reach it. log gets what a
// user should know, a line at a time.
func Listen(addr string, log func(line string)) (*Server, error) { return listen(addr, log, patience) }

func listen(addr string, log func(line string), patience time.Duration) (*Server, error) {
	if i := strings.LastIndexByte(addr, ':'); i <= 0 {
		addr = net.JoinHostPort("127.0.0.1", addr[i+1:])
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("serial forwarder: %w", err)
	}
	s := &Server{
		listener: l,
		patience: patience,
		packets:  make(chan []byte),
		done:     make(chan struct{}),
		log:      log,
		clients:  map[*client]bool{},
	}
	s.running.Add(1)
	go s.accept()
	return s, nil
}

// addr is where it listens, "HOST:PORT".
func (s *Server) addr() string { return s.listener.Addr().String() }

// Where tells a user how to reach it, in the words of TinyOS's tools.
func (s *Server) Where() string { return "sf@" + s.addr() }

// Receive gives the bytes that go to the mote next, or nil. It does not wait. It is to be called again when these are on
// the line, and every few milliseconds of virtual time: now, in picoseconds.
func (s *Server) Receive(now uint64) []byte {
	wire, err := s.link.toMote(now, func() []byte {
		select {
		case p := <-s.packets:
			return p
		default:
			return nil
		}
	})
	if err != nil {
		s.logf("%v", err)
	}
	return wire
}

// Send takes bytes from the mote, and gives the packets in them to all clients. It does not wait.
func (s *Server) Send(data []byte) {
	packets, err := s.link.fromMote(data)
	if err != nil {
		s.complain(err)
	}
	if len(packets) == 0 {
		return
	}
	var slow []*client
	s.mu.Lock()
	for c, greeted := range s.clients {
		if greeted && !c.give(packets) {
			slow = append(slow, c)
		}
	}
	s.mu.Unlock()
	for _, c := range slow {
		s.drop(c, fmt.Errorf("it has not taken the last %d bytes", maxQueue))
	}
}

// complain logs frames that came broken from the mote.
func (s *Server) complain(err error) {
	switch s.complaints++; {
	case s.complaints < maxComplaints:
		s.logf("from the mote: %v", err)
	case s.complaints == maxComplaints:
		s.logf("from the mote: %v; no more about bad frames", err)
	}
}

// Close ends the forwarder, after its clients have had a moment to take what is left.
func (s *Server) Close() error {
	err := s.listener.Close()
	close(s.done)
	s.mu.Lock()
	for c, greeted := range s.clients {
		c.conn.SetReadDeadline(time.Now())
		c.conn.SetWriteDeadline(time.Now().Add(farewell))
		if !greeted {
			c.conn.Close()
		}
	}
	s.mu.Unlock()
	s.running.Wait()
	return err
}

func (s *Server) closing() bool {
	select {
	case <-s.done:
		return true
	default:
		return false
	}
}

func (s *Server) logf(format string, args ...any) {
	s.logging.Lock()
	defer s.logging.Unlock()
	s.log("serial forwarder " + s.addr() + ": " + fmt.Sprintf(format, args...))
}

func (s *Server) accept() {
	defer s.running.Done()
	for {
		conn, err := s.listener.Accept()
		switch {
		case errors.Is(err, net.ErrClosed):
			return
		case err != nil: // out of file descriptors, say: that passes
			s.logf("%v", err)
			select {
			case <-time.After(100 * time.Millisecond):
			case <-s.done:
				return
			}
		default:
			s.admit(conn)
		}
	}
}

// admit lets a client in, if there is room. It has not greeted yet.
func (s *Server) admit(conn net.Conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closing():
		conn.Close()
	case len(s.clients) >= maxClients:
		conn.Close()
		s.logf("client %s is turned away: %d are here already", conn.RemoteAddr(), maxClients)
	default:
		c := newClient(conn)
		s.clients[c] = false
		s.running.Add(1)
		go s.serve(c)
	}
}

// drop ends a client that does not behave.
func (s *Server) drop(c *client, why error) {
	if s.remove(c) && !s.closing() {
		s.logf("client %s is dropped: %v", c.conn.RemoteAddr(), why)
	}
}

// remove forgets a client, and reports whether it was there.
func (s *Server) remove(c *client) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, here := s.clients[c]
	delete(s.clients, c)
	c.conn.Close()
	return here
}
