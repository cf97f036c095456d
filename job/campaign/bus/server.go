// Package bus carries campaigns over NATS JetStream: a server inside of this process, or a team's own.
//
// A campaign has two streams. One is a work queue: an item is there until a worker has acknowledged it, and once at most. The other has the results, one of
// each item at most. A worker acknowledges an item when its result is stored, so whatever ends a process, an item is in the queue or has its result. Files,
// and what is too large for a message, are in an object store by their hash.
package bus

import (
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// Server is a NATS server in this process.
type Server struct{ s *server.Server }

// ServerOptions say how to serve. The zero value serves this machine alone, on any port.
type ServerOptions struct {
	Dir   string // where streams are kept
	Host  string // empty for loopback
	Port  int    // 0 for any
	Token string // that clients have to know; empty for none
	// Lasting says that the server stays until a campaign is done: see OpenHome.
	Lasting bool
	// Say, if not nil, is told what the user should know.
	Say func(format string, args ...any)
	// MaxBytes bounds what is stored; 0 for what the disk has.
	MaxBytes int64
}

// Serve starts a server.
func Serve(o ServerOptions) (*Server, error) {
	opt := &server.Options{ServerName: "motehound", Host: o.Host, Port: o.Port, JetStream: true, StoreDir: o.Dir, Authorization: o.Token,
		MaxPayload: 8 << 20, NoSigs: true, JetStreamMaxStore: o.MaxBytes,
		SyncAlways: true, // an answer means that it is on the disk
	}
	if opt.Host == "" {
		opt.Host = "127.0.0.1"
	}
	if opt.Port == 0 {
		opt.Port = server.RANDOM_PORT
	}
	s, err := server.NewServer(opt)
	if err != nil {
		return nil, fmt.Errorf("starting the campaign's server: %w", err)
	}
	x := &Server{s}
	last := new(lastError)
	if o.Say != nil {
		last.full = func() {
			o.Say("the disk with %s is full: make room, and start the campaign again; nothing is lost", o.Dir)
		}
	}
	s.SetLoggerV2(last, false, false, false)
	s.Start()
	const patience = 20 * time.Second
	if !s.ReadyForConnections(patience) {
		s.Shutdown()
		return nil, fmt.Errorf("starting the campaign's server: %w", errors.Join(errors.New("it is not ready"), last.get()))
	}
	if !s.JetStreamEnabled() {
		s.Shutdown()
		return nil, fmt.Errorf("the campaign's server cannot keep anything in %s: %w", o.Dir, last.get())
	}
	return x, nil
}

// URL is where the server is.
func (s *Server) URL() string { return s.s.ClientURL() }

// Close ends the server. What it was told is on the disk.
func (s *Server) Close() {
	s.s.Shutdown()
	s.s.WaitForShutdown()
}
