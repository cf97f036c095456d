package workbench

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"sync"
	"time"

	"motehound/firmware/disk"
	"motehound/job"
	"motehound/job/document"
)

// How many jobs there are.
const (
	mostRunning = 2
	mostWaiting = 16
	mostListed  = 200
	mostSaid    = 200
)

// threads is how many of those that are asked for a job gets.
func threads(asked int) int { return min(max(asked, 1), runtime.GOMAXPROCS(0)) }

// askedDoc is a job that somebody asks for. The request is that of docs/go.md: what it leaves out is as usual.
type askedDoc struct {
	Command string          `json:"command"`
	Request json.RawMessage `json:"request"`
}

// jobDoc is a job and how far it is.
type jobDoc struct {
	ID       int             `json:"id"`
	Command  string          `json:"command"`
	Request  json.RawMessage `json:"request"`
	State    string          `json:"state"`            // waiting, running, done, cancelled, failed or lost
	Error    string          `json:"error,omitempty"`  // of failed
	Verdict  string          `json:"verdict"`          // of done and cancelled; "" if there is none
	Findings int             `json:"findings"`         // how many
	Folder   string          `json:"folder"`           // where its files are
	Page     bool            `json:"page"`             // there is one
	Said     []string        `json:"said"`             // notes, the last ones
	Now      *job.Progress   `json:"now,omitempty"`    // of running
	Begun    time.Time       `json:"begun"`            // by the host's clock
	Took     float64         `json:"took_s,omitempty"` // how long it ran
}

// jobsDoc is all of them, the last first.
type jobsDoc struct {
	Jobs []jobDoc `json:"jobs"`
}

// jobs are those of a server.
type jobs struct {
	mu      sync.Mutex
	folder  string
	list    []*task // by number
	running chan struct{}
	ended   sync.WaitGroup
	over    bool
}

// task is a job of this server, or of an earlier one.
type task struct {
	jobDoc
	cancel  context.CancelFunc // nil if it is not under way
	changed chan struct{}      // closed when something has changed
}

func pagePath(folder string) string   { return filepath.Join(folder, "page.json") }
func jobPath(folder string) string    { return filepath.Join(folder, "job.json") }
func reportPath(folder string) string { return filepath.Join(folder, "report.json") }

// mostResult is how large the files of a job may be.
const mostResult = 256 << 20

// begin takes over what earlier servers have left. Jobs that were under way then are lost.
func (j *jobs) begin(folder string) error {
	j.folder, j.running = folder, make(chan struct{}, mostRunning)
	found, err := os.ReadDir(folder)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	for _, e := range found {
		id, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		const largest = 1 << 22
		data, err := disk.Read(jobPath(filepath.Join(folder, e.Name())), largest)
		t := &task{changed: make(chan struct{})}
		if err != nil || json.Unmarshal(data, &t.jobDoc) != nil {
			continue // its server was killed while it wrote the file
		}
		t.ID, t.Now, t.Said = id, nil, document.List(t.Said)
		if !t.final() {
			t.State = "lost"
		}
		j.list = append(j.list, t)
	}
	slices.SortFunc(j.list, func(a, b *task) int { return cmp.Compare(a.ID, b.ID) })
	return nil
}

func (t *task) final() bool { return t.State != "waiting" && t.State != "running" }

// save writes what is known of a job. The jobs are locked.
func (t *task) save() error {
	data, err := json.Marshal(t.jobDoc)
	if err != nil {
		return err
	}
	return disk.Write(jobPath(t.Folder), data, 0o644)
}

// tell has those who wait know that something has changed. The jobs are locked.
func (t *task) tell() {
	close(t.changed)
	t.changed = make(chan struct{})
}

func (j *jobs) find(r *http.Request) (*task, error) {
	id, err := strconv.Atoi(r.PathValue("job"))
	i := slices.IndexFunc(j.list, func(t *task) bool { return err == nil && t.ID == id })
	if i < 0 {
		return nil, problem{http.StatusNotFound, "there is no job " + quoted(r.PathValue("job"))}
	}
	return j.list[i], nil
}

// one is a job by its number.
func (j *jobs) one(id int) (jobDoc, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	i := slices.IndexFunc(j.list, func(t *task) bool { return t.ID == id })
	if i < 0 {
		return jobDoc{}, problem{http.StatusNotFound, fmt.Sprintf("there is no job %d", id)}
	}
	return j.list[i].jobDoc, nil
}

// add makes room for a job.
func (j *jobs) add(asked *askedDoc) (*task, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	busy, last := 0, 0
	for _, t := range j.list {
		last = t.ID
		if !t.final() {
			busy++
		}
	}
	if busy >= mostRunning+mostWaiting || j.over {
		return nil, problem{http.StatusTooManyRequests, fmt.Sprintf("%d jobs are under way or wait: cancel one, or come back later", busy)}
	}
	t := &task{jobDoc: jobDoc{ID: last + 1, Command: asked.Command, Request: asked.Request, State: "waiting", Said: []string{}, Begun: time.Now()}, changed: make(chan struct{})}
	t.Folder = filepath.ToSlash(filepath.Join(j.folder, strconv.Itoa(t.ID)))
	if err := os.MkdirAll(t.Folder, 0o755); err != nil {
		return nil, err
	}
	if len(j.list) >= mostListed {
		j.list = slices.Delete(j.list, 0, 1) // its files stay
	}
	j.list = append(j.list, t)
	return t, t.save()
}

func (s *Server) startJob(_ *http.Request, in any) (any, error) {
	var asked askedDoc
	if err := decode(in.(json.RawMessage), &asked); err != nil {
		return nil, err
	}
	c, err := findCommand(asked.Command)
	if err != nil {
		return nil, err
	}
	if _, err := c.start(s, asked.Request, ""); err != nil { // before a folder is made
		return nil, err
	}
	t, err := s.jobs.add(&asked)
	if err != nil {
		return nil, err
	}
	do, err := c.start(s, asked.Request, t.Folder)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	j := &s.jobs
	j.mu.Lock()
	defer j.mu.Unlock()
	t.cancel = cancel
	j.ended.Add(1)
	go s.work(ctx, t, do)
	return t.jobDoc, nil
}

// work does a job when it is its turn.
func (s *Server) work(ctx context.Context, t *task, do run) {
	j := &s.jobs
	defer j.ended.Done()
	defer t.cancel()
	select {
	case j.running <- struct{}{}:
		defer func() { <-j.running }()
	case <-ctx.Done():
		s.finish(t, nil, nil, ctx.Err())
		return
	}
	began := time.Now()
	j.mu.Lock()
	t.State = "running"
	t.tell()
	j.mu.Unlock()
	doc, page, err := s.attempt(ctx, do, job.Host{Now: time.Now, After: time.After, Progress: func(p job.Progress) { j.progress(t, p) }, Collect: s.Collect})
	if err == nil {
		err = keep(t.Folder, doc, page)
	}
	j.mu.Lock()
	t.Took, t.Page = time.Since(began).Seconds(), err == nil && page != nil
	j.mu.Unlock()
	if err == nil {
		err = ctx.Err()
	}
	s.finish(t, doc, page, err)
}

// attempt does a job. A bug of ours in one must not end the others.
func (s *Server) attempt(ctx context.Context, do run, h job.Host) (doc, page any, err error) {
	defer func() {
		if p := recover(); p != nil {
			s.Say("internal error: %v\n%s", p, debug.Stack())
			err = fmt.Errorf("internal error: %v; please report it", p)
		}
	}()
	return do(ctx, h)
}

func (j *jobs) progress(t *task, p job.Progress) {
	j.mu.Lock()
	defer j.mu.Unlock()
	switch p.Kind {
	case job.Note, job.Say, job.Line:
		t.Said = append(t.Said[max(0, len(t.Said)+1-mostSaid):], p.Text)
	default:
		t.Now = &p
	}
	t.tell()
}

// finish notes how a job has ended.
func (s *Server) finish(t *task, doc, page any, err error) {
	s.jobs.mu.Lock()
	defer s.jobs.mu.Unlock()
	t.Now = nil
	half := new(job.Unfinished)
	switch {
	case err == nil:
		t.State = "done"
	case errors.Is(err, context.Canceled), errors.As(err, &half):
		t.State = "cancelled"
	default:
		t.State, t.Error = "failed", err.Error()
	}
	if doc != nil {
		t.Verdict, t.Findings = judged(doc)
	}
	if err := t.save(); err != nil {
		s.Say("job %d: %v", t.ID, err)
	}
	t.tell()
}

// judged is the verdict of a document, and how many findings it has.
func judged(doc any) (verdict string, found int) {
	var d struct {
		Verdict    string            `json:"verdict"`
		Findings   []json.RawMessage `json:"findings"`
		Violations []json.RawMessage `json:"violations"` // of verify
	}
	data, err := json.Marshal(documented(doc))
	if err == nil {
		err = json.Unmarshal(data, &d)
	}
	if err != nil {
		return "", 0
	}
	return d.Verdict, len(d.Findings) + len(d.Violations)
}

// stop ends all jobs, and waits for them.
func (j *jobs) stop() {
	j.mu.Lock()
	j.over = true
	for _, t := range j.list {
		if t.cancel != nil {
			t.cancel()
		}
	}
	j.mu.Unlock()
	j.ended.Wait()
}

func (s *Server) listJobs(*http.Request, any) (any, error) {
	s.jobs.mu.Lock()
	defer s.jobs.mu.Unlock()
	d := &jobsDoc{Jobs: []jobDoc{}}
	for _, t := range slices.Backward(s.jobs.list) {
		d.Jobs = append(d.Jobs, t.jobDoc)
	}
	return d, nil
}

func (s *Server) oneJob(r *http.Request, _ any) (any, error) {
	s.jobs.mu.Lock()
	defer s.jobs.mu.Unlock()
	t, err := s.jobs.find(r)
	if err != nil {
		return nil, err
	}
	return t.jobDoc, nil
}

func (s *Server) cancelJob(r *http.Request, _ any) (any, error) {
	s.jobs.mu.Lock()
	defer s.jobs.mu.Unlock()
	t, err := s.jobs.find(r)
	if err != nil {
		return nil, err
	}
	if t.cancel == nil || t.final() {
		return nil, problem{http.StatusConflict, fmt.Sprintf("job %d is not under way", t.ID)}
	}
	t.cancel()
	return t.jobDoc, nil
}

// file is a file of a job.
func (s *Server) file(r *http.Request, path func(folder string) string) (any, error) {
	x, err := s.oneJob(r, nil)
	if err != nil {
		return nil, err
	}
	data, err := disk.Read(path(x.(jobDoc).Folder), mostResult)
	if err != nil {
		return nil, problem{http.StatusNotFound, fmt.Sprintf("job %d has no such result: it is %s", x.(jobDoc).ID, x.(jobDoc).State)}
	}
	return json.RawMessage(data), nil
}

func (s *Server) result(r *http.Request, _ any) (any, error) {
	return s.file(r, reportPath)
}

func (s *Server) resultPage(r *http.Request, _ any) (any, error) { return s.file(r, pagePath) }

// events streams a job: the whole of it, whenever it has changed, but not more often than eyes can follow.
func (s *Server) events(w http.ResponseWriter, r *http.Request) {
	write, end := s.stream(w)
	if write == nil {
		return
	}
	defer end()
	for {
		s.jobs.mu.Lock()
		t, err := s.jobs.find(r)
		if err != nil {
			s.jobs.mu.Unlock()
			fail(w, err)
			return
		}
		now, changed := t.jobDoc, t.changed
		data, err := json.Marshal(now)
		s.jobs.mu.Unlock()
		if err != nil || write("job", data) != nil {
			return
		}
		if (&task{jobDoc: now}).final() {
			return
		}
		select {
		case <-changed:
		case <-r.Context().Done():
			return
		}
		if wait(r.Context(), 100*time.Millisecond) != nil {
			return
		}
	}
}
