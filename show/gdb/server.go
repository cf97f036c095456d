package gdb

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"

	"motehound/job"
)

// Server lets gdb debug a run.
type Server struct {
	Addr   string                           // where it listens: "[HOST:]PORT"; port 0 takes a free one
	Anyone bool                             // others than this machine may come
	Say    func(format string, args ...any) // tells where it listens, and who comes and goes
}

// Debug lets one client after the other look into a run, until one says that it is over ("monitor quit") or the context is done.
func (s Server) Debug(ctx context.Context, run *job.Journey) error {
	l, err := listen(s.Addr, s.Anyone)
	if err != nil {
		return err
	}
	s.Say("gdb: avr-gdb -ex 'set schedule-multiple on' -ex 'target remote %s'", l.Addr())
	s.Say("gdb: type monitor help there; monitor quit, or Ctrl-C here, ends the debugging")
	return serve(ctx, l, newNetwork(run), s.Say)
}

// listen opens the port that gdb connects to, on this machine only unless anyone may come.
func listen(addr string, anyone bool) (net.Listener, error) {
	if !strings.Contains(addr, ":") {
		addr = net.JoinHostPort("127.0.0.1", addr)
	}
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, fmt.Errorf("--gdb %s: %w; write --gdb [HOST:]PORT", addr, err)
	}
	if ip := net.ParseIP(host); !anyone && host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, fmt.Errorf("--gdb %s: whoever reaches that port can look into the run, without a password; use 127.0.0.1, or add --gdb-anyone", addr)
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("--gdb %s: %w", addr, err)
	}
	return l, nil
}

// serve lets one client after the other debug a target.
func serve(ctx context.Context, l net.Listener, t debuggee, say func(format string, args ...any)) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stop := context.AfterFunc(ctx, func() { l.Close() })
	defer stop()
	defer l.Close()
	var places, mouth sync.Mutex // the first is held while a client is served
	one := func(format string, args ...any) {
		mouth.Lock()
		defer mouth.Unlock()
		say(format, args...)
	}
	clients := make(chan net.Conn)
	go accept(ctx, l, &places, clients, one)
	for {
		select {
		case <-ctx.Done():
			return nil
		case conn, ok := <-clients:
			if !ok {
				return nil
			}
			one("gdb: connected from %s", conn.RemoteAddr())
			err := attend(ctx, conn, t)
			places.Unlock()
			if errors.Is(err, errOver) {
				return nil
			}
			one("gdb: it has left; the network stands, and waits for the next one")
		}
	}
}

// accept lets one client in at a time, and turns the others away.
func accept(ctx context.Context, l net.Listener, places *sync.Mutex, clients chan<- net.Conn, say func(format string, args ...any)) {
	defer close(clients)
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		if !places.TryLock() {
			say("gdb: another one, from %s, was turned away: one at a time", conn.RemoteAddr())
			_, _ = conn.Write(frame([]byte("E.another gdb is connected to this run: detach that one first")))
			conn.Close()
			continue
		}
		select {
		case clients <- conn:
		case <-ctx.Done():
			conn.Close()
			return
		}
	}
}

// attend serves a client until it leaves.
func attend(ctx context.Context, conn net.Conn, t debuggee) error {
	s := session{target: t, line: newLine(conn)}
	defer s.line.close()
	stop := context.AfterFunc(ctx, func() { conn.Close() })
	defer stop()
	return s.serve()
}
