// Package workbench is Motehound in a browser: a server on this machine that starts jobs, keeps their results, and travels through runs, and the page that
// shows it.
//
// Invariants: it is one more caller of the jobs, and answers with their documents. What a request means depends on the request alone, never on what another user
// looks at. Nothing is read or written that a request names outside of the working folder. Every request needs the token, comes from the server's own
// page, and is bounded in size, in time and in number.
package workbench

import (
	"context"
	"embed"
	"errors"
	"io/fs"
	"net"
	"net/http"
	"path/filepath"
	"sync"
	"time"
)

// Options say what a server offers.
type Options struct {
	Folder  string // the working folder, which must be the process's own
	File    string // what was asked for on the command line; "" for nothing
	Version string
	Token   string                           // what every request has to know
	Collect func(percent int) int            // as job.Host has it
	Say     func(format string, args ...any) // for whoever started the server
}

// Server is a workbench.
type Server struct {
	Options
	folder   string // absolute, without links
	jobs     jobs
	journeys journeys
	store    sync.Mutex    // of findings
	checking sync.Mutex    // of scenarios that are edited
	streams  chan struct{} // one for each stream of events
	mux      *http.ServeMux
}

// New is a workbench on a folder. Results of earlier servers there are taken over.
func New(o Options) (*Server, error) {
	s := &Server{Options: o, streams: make(chan struct{}, mostStreams), mux: http.NewServeMux()}
	abs, err := filepath.Abs(o.Folder)
	if err != nil {
		return nil, err
	}
	if s.folder, err = filepath.EvalSymlinks(abs); err != nil {
		return nil, err
	}
	if err := s.jobs.begin(filepath.Join(kept, "jobs")); err != nil {
		return nil, err
	}
	s.journeys.folder = filepath.Join(kept, "runs")
	for _, r := range routes() {
		s.mux.HandleFunc(r.method+" "+r.path, s.answer(r))
	}
	page, err := fs.Sub(dist, "dist")
	if err != nil {
		return nil, err
	}
	s.mux.Handle("GET /", http.FileServerFS(page))
	return s, nil
}

// kept is where results are.
var kept = filepath.Join(".motehound", "workbench")

// dist is the page, built from ui.
//
//go:embed dist
var dist embed.FS

// What a server does at once.
const (
	mostConnections = 512
	mostStreams     = 64
	mostBody        = 1 << 20
	mostUpload      = 64 << 20
	headerTime      = 5 * time.Second
	bodyTime        = 30 * time.Second
	answerTime      = 10 * time.Minute
	idleTime        = time.Minute
	endTime         = 5 * time.Second
)

// Serve answers until the context ends. Then jobs are stopped, and keep what they have.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	server := &http.Server{Handler: s.guard(s.mux), ReadHeaderTimeout: headerTime, ReadTimeout: bodyTime, WriteTimeout: answerTime, IdleTimeout: idleTime, MaxHeaderBytes: 32 << 10,
		BaseContext: func(net.Listener) context.Context { return ctx }}
	ended := make(chan error, 1)
	go func() {
		<-ctx.Done()
		s.journeys.stop()
		s.jobs.stop()
		late, cancel := context.WithTimeout(context.WithoutCancel(ctx), endTime)
		defer cancel()
		if err := server.Shutdown(late); err != nil {
			server.Close()
		}
		ended <- nil
	}()
	if err := server.Serve(bounded(l, mostConnections)); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return <-ended
}

// bounded is a listener with at most so many connections open: those beyond are closed at once.
func bounded(l net.Listener, most int) net.Listener {
	return &boundedListener{l, make(chan struct{}, most)}
}

type boundedListener struct {
	net.Listener
	open chan struct{}
}

// Accept implements net.Listener.
func (l *boundedListener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		select {
		case l.open <- struct{}{}:
			return &boundedConn{Conn: c, done: l.open}, nil
		default:
			c.Close()
		}
	}
}

type boundedConn struct {
	net.Conn
	done   chan struct{}
	closed sync.Once
}

// Close implements net.Conn.
func (c *boundedConn) Close() error {
	c.closed.Do(func() { <-c.done })
	return c.Conn.Close()
}
