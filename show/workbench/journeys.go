package workbench

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"motehound/firmware/disk"
	"motehound/job"
	"motehound/job/document"
	"motehound/show/report"
	"motehound/study/travel"
)

// mostJourneys is how many runs are open at once: each may take as much memory as travel.Memory, and more.
const mostJourneys = 3

// journeys are the runs that are open. Their requests are kept, so that an address still works when the server was started again.
type journeys struct {
	mu        sync.Mutex
	folder    string
	list      []*journey // the one that was used last is last
	recording sync.Mutex // one run at a time
}

// journey is an open run. One request at a time travels in it.
type journey struct {
	id    string
	turn  chan struct{}
	gone  atomic.Bool  // it is closed
	run   *job.Journey // nil before it is open
	path  string       // that it takes now
	asked job.Debug
}

// openedDoc is a run that can be looked at.
type openedDoc struct {
	ID      string    `json:"id"`
	Request job.Debug `json:"request"`
	document.Journey
}

// foundDoc is where a run goes wrong.
type foundDoc struct {
	Stop *document.Halt `json:"stop,omitempty"` // none if nothing does
	Says string         `json:"says"`
}

// recordedDoc is how much of a run there is to travel in quickly. The rest is made in the background, or when somebody goes there.
type recordedDoc struct {
	Until document.Moment `json:"until"`
	Whole bool            `json:"whole"`
}

// arrivedDoc is where a step has led.
type arrivedDoc struct {
	document.Halt
	End bool `json:"end"` // there was nothing on that side: it is the end of the run
}

func (s *Server) openJourney(r *http.Request, in any) (any, error) {
	asked := job.Debug{World: job.NewWorld()}
	if err := decode(in.(json.RawMessage), &asked); err != nil {
		return nil, err
	}
	if err := s.world(&asked.World, asked.File); err != nil {
		return nil, err
	}
	text, err := json.Marshal(asked)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(text)
	id := hex.EncodeToString(sum[:6])
	path := filepath.Join(s.journeys.folder, id+".json")
	if _, err := os.Stat(path); err != nil {
		if err := os.MkdirAll(s.journeys.folder, 0o755); err != nil {
			return nil, err
		}
		if err := disk.Write(path, text, 0o644); err != nil {
			return nil, err
		}
	}
	return s.describe(r.Context(), id, "")
}

func (s *Server) oneJourney(r *http.Request, _ any) (any, error) {
	return s.describe(r.Context(), r.PathValue("run"), r.URL.Query().Get("path"))
}

func (s *Server) describe(ctx context.Context, id, path string) (any, error) {
	x, done, err := s.enter(ctx, id, path)
	if err != nil {
		return nil, err
	}
	defer done()
	return &openedDoc{x.id, x.asked, *x.run.Document()}, nil
}

// find gives a run its place among those that are open. The one that was used longest ago goes.
func (j *journeys) find(s *Server, id string) (*journey, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if i := slices.IndexFunc(j.list, func(x *journey) bool { return x.id == id }); i >= 0 {
		x := j.list[i]
		j.list = append(slices.Delete(j.list, i, i+1), x)
		return x, nil
	}
	unknown := problem{http.StatusNotFound, "there is no run " + quoted(id)}
	if !plain(id) {
		return nil, unknown
	}
	x := &journey{id: id, turn: make(chan struct{}, 1), asked: job.Debug{World: job.NewWorld()}}
	data, err := disk.Read(filepath.Join(j.folder, id+".json"), mostBody)
	if err != nil || json.Unmarshal(data, &x.asked) != nil {
		return nil, unknown
	}
	if err := s.world(&x.asked.World, x.asked.File); err != nil {
		return nil, err
	}
	if len(j.list) >= mostJourneys {
		j.list[0].gone.Store(true)
		j.list = slices.Delete(j.list, 0, 1)
	}
	j.list = append(j.list, x)
	return x, nil
}

// enter waits for one's turn in a run, opens it if it is not open yet, and takes a path.
func (s *Server) enter(ctx context.Context, id, path string) (x *journey, done func(), err error) {
	if x, err = s.journeys.find(s, id); err != nil {
		return nil, nil, err
	}
	select {
	case x.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, nil, ctx.Err()
	}
	done = func() { <-x.turn }
	if x.run == nil {
		if x.run, err = x.asked.Open(ctx, job.Host{}); err != nil {
			x.run = nil
			done()
			return nil, nil, err
		}
		x.run.TakeNotes()
		go s.record(x)
	}
	if path != x.path {
		if err := x.run.Follow(ctx, path); err != nil {
			done()
			return nil, nil, err
		}
		x.path = path
	}
	return x, done, nil
}

// slice is how long a run is recorded before somebody else has a turn.
const slice = 25 * time.Millisecond

// record makes a run in the background, a little at a time.
func (s *Server) record(x *journey) {
	defer func() {
		if p := recover(); p != nil { // a bug of ours in one run must not end the others
			s.Say("internal error: %v\n%s", p, debug.Stack())
		}
	}()
	for !x.gone.Load() && !s.recordSome(x) {
	}
}

func (s *Server) recordSome(x *journey) (whole bool) {
	s.journeys.recording.Lock()
	defer s.journeys.recording.Unlock()
	x.turn <- struct{}{}
	defer func() { <-x.turn }()
	until := time.Now().Add(slice)
	return x.run.Record(func() bool { return x.gone.Load() || time.Now().After(until) }) == nil
}

// stop ends what is done in the background.
func (j *journeys) stop() {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, x := range j.list {
		x.gone.Store(true)
	}
}

// visit is a request in a run: at a moment, looking at a mote.
type visit struct {
	*job.Journey
	r    *http.Request
	stop func() bool
}

func (v *visit) ask(name string) string { return v.r.URL.Query().Get(name) }

// at makes a handler of something to be done in a run, at the moment and on the mote that the request names.
func at(do func(s *Server, v *visit) (any, error)) func(*Server, *http.Request, any) (any, error) {
	return func(s *Server, r *http.Request, _ any) (any, error) {
		x, done, err := s.enter(r.Context(), r.PathValue("run"), r.URL.Query().Get("path"))
		if err != nil {
			return nil, err
		}
		defer done()
		v := &visit{x.run, r, func() bool { return r.Context().Err() != nil }}
		if text := v.ask("mote"); text != "" {
			i, err := v.ByID(text)
			if err == nil {
				err = v.Look(i)
			}
			if err != nil {
				return nil, bad("%v", err)
			}
		}
		if text := v.ask("at"); text != "" {
			p, err := v.point("at")
			if err == nil {
				err = v.Go(p, v.stop)
			}
			if err != nil {
				return nil, err
			}
		}
		return do(s, v)
	}
}

// point is a moment that the request names.
func (v *visit) point(name string) (travel.Point, error) {
	p, err := document.Moment(v.ask(name)).Point()
	if err == nil && (p.Event > 0) != v.Explored() {
		err = fmt.Errorf("%s=%s is no moment of this run", name, quoted(v.ask(name)))
	}
	return p, err
}

func recorded(_ *Server, v *visit) (any, error) {
	_, last := v.Bounds()
	return &recordedDoc{document.MomentOf(v.Recorded()), v.Recorded() == last}, nil
}

func choices(_ *Server, v *visit) (any, error) { return v.Choices() }

func lookAt(_ *Server, v *visit) (any, error) { return v.State(), nil }

// stretch is the one that the request names.
func (v *visit) stretch() (from, to travel.Point, err error) {
	if from, err = v.point("from"); err == nil {
		to, err = v.point("to")
	}
	return from, to, err
}

func timeline(_ *Server, v *visit) (any, error) {
	from, to, err := v.stretch()
	if err != nil {
		return nil, err
	}
	bins, err := strconv.Atoi(v.ask("bins"))
	if err != nil {
		return nil, bad("bins: give a number")
	}
	return v.Timeline(from, to, bins, v.stop)
}

func calls(_ *Server, v *visit) (any, error) {
	from, to, err := v.stretch()
	if err != nil {
		return nil, err
	}
	return v.CallsBetween(from, to, v.stop)
}

// arrived is where one is after a step.
func (v *visit) arrived(err error) (any, error) {
	if err != nil && !errors.Is(err, travel.ErrNone) {
		return nil, err
	}
	return &arrivedDoc{*v.Stop(), err != nil}, nil
}

func step(_ *Server, v *visit) (any, error) {
	_, err := v.Step(job.Step(v.ask("by")), v.ask("back") == "true", v.stop)
	return v.arrived(err)
}

// ran goes to where a line runs next, or ran last.
func ran(_ *Server, v *visit) (any, error) {
	line, err := strconv.Atoi(v.ask("line"))
	if err != nil {
		return nil, bad("line: give a number")
	}
	pcs := job.LineCode(v.Mote().Kind, v.ask("file"), line)
	if len(pcs) == 0 {
		return nil, bad("no code belongs to line %d of %s", line, quoted(v.ask("file")))
	}
	move := v.Next
	if v.ask("back") == "true" {
		move = v.Previous
	}
	_, err = move(&travel.Watch{Code: job.Codes(v.Here().Mote, pcs)}, v.stop)
	return v.arrived(err)
}

func wrote(_ *Server, v *visit) (any, error) {
	return v.Wrote(v.ask("variable"), v.ask("changed") == "true", v.stop)
}

func source(s *Server, v *visit) (any, error) {
	file, im := v.ask("file"), v.Mote().Kind.Image
	if !slices.Contains(im.Files(), file) {
		return nil, problem{http.StatusNotFound, quoted(file) + " is no source file of this firmware"}
	}
	hits, until, err := v.Covered(v.r.Context(), file)
	if err != nil {
		return nil, err
	}
	x := report.FindSource(file, im.Path, s.readSource)
	if x.Found == "" { // somebody may have opened it from elsewhere
		x = report.FindSource(filepath.Base(file), filepath.Join(kept, "files", "firmware"), s.readSource)
	}
	return &document.Covered{Until: document.MomentOf(until), File: file, Lines: x.Lines, Note: x.Note, Hits: hits}, nil
}

func finding(_ *Server, v *visit) (any, error) {
	x, err := v.GoToFinding(v.stop)
	if err != nil {
		return nil, err
	}
	if x == nil {
		return &foundDoc{Says: "nothing goes wrong in this run, as far as the built-in checks can tell"}, nil
	}
	return &foundDoc{v.Stop(), document.BrokenText(&x.Violation)}, nil
}
