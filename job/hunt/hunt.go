// Package hunt spends one budget over all engines on one firmware or scenario, and reports each cause of trouble once. It composes the requests of
// package job: a trial is an engine on a network, and has its turn in slices.
//
// Invariants: a finding is replayed before it is shown, and what does not replay is only counted. Without a budget of time, the same request
// gives the same document, except for the host's times: slices are sized in events, and nothing else asks the clock. What a slice has found and
// confirmed is in the store before the next slice begins.
package hunt

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"
	"time"

	"motehound/job"
	"motehound/job/document"
	"motehound/job/findings"
	"motehound/study/verdict"
)

// Request asks for everything that can be found in a firmware or scenario.
type Request struct {
	job.World
	File    string        `json:"file"` // firmware or scenario
	Budget  time.Duration `json:"budget_ns"`
	Total   uint64        `json:"total,omitempty"` // events; 0 for no limit
	Threads int           `json:"threads"`
	Engines []string      `json:"engines,omitempty"` // nil for all
	Benign  []string      `json:"benign,omitempty"`  // variables whose races are not reported
	Store   string        `json:"store,omitempty"`   // the folder of findings
	Out     string        `json:"out,omitempty"`     // the folder for the report
	Version string        `json:"version,omitempty"` // of Motehound, for the store
}

// UsualBudget is how long a hunt takes if nothing is said.
const UsualBudget = 2 * time.Minute

// New is the usual request for a file.
func New(file string) Request {
	return Request{World: job.NewWorld(), File: file, Budget: UsualBudget, Threads: runtime.NumCPU(), Store: findings.Folder}
}

// hunt is a hunt that is under way.
type hunt struct {
	Request
	about    *job.Surveyed
	host     job.Host
	began    time.Time
	work     string // the folder for what trials write
	store    *findings.Store
	record   *findings.Hunt
	trials   []*trial
	spent    uint64 // events
	causes   []*cause
	hints    []hint
	refuted  []string
	doubtful map[string]bool   // what is not believed, by the reason
	orders   map[string]uint64 // of events that were tried, by network
	looks    int               // hints that are looked at again
	code     coverage
}

// Do hunts.
func (r Request) Do(ctx context.Context, h job.Host) (*document.Hunted, error) {
	if err := r.valid(); err != nil {
		return nil, err
	}
	x, err := r.begin(ctx, nil, h)
	if err != nil {
		return nil, err
	}
	defer x.close()
	if err := x.turns(ctx); err != nil {
		return nil, err
	}
	return x.finish(ctx)
}

// begin surveys what is hunted in, unless that is known, and plans the trials.
func (r Request) begin(ctx context.Context, about *job.Surveyed, h job.Host) (x *hunt, err error) {
	x = &hunt{Request: r, about: about, host: h, doubtful: map[string]bool{}, orders: map[string]uint64{}}
	if h.Now != nil {
		x.began = h.Now()
	}
	if about == nil {
		if x.about, err = (job.Survey{World: r.World, File: r.File}).Do(ctx, h); err != nil {
			return nil, err
		}
	}
	if err := x.open(); err != nil {
		return nil, err
	}
	x.plan()
	return x, nil
}

// turns gives the trials their turns until all is spent.
func (x *hunt) turns(ctx context.Context) error {
	for ctx.Err() == nil && !x.over() {
		t := x.next()
		if t == nil {
			break
		}
		if err := x.turn(ctx, t); err != nil {
			return err
		}
	}
	return nil
}

// valid refuses what makes no sense.
func (r *Request) valid() error {
	if r.Threads < 1 {
		return fmt.Errorf("--threads %d: give at least 1", r.Threads)
	}
	for _, name := range r.Engines {
		if !slices.Contains(Engines, name) {
			return fmt.Errorf("--engine %s: there are %v", name, Engines)
		}
	}
	if r.Store == "" {
		return errors.New("--store: name a folder for findings")
	}
	return nil
}

// now is how long the hunt takes so far.
func (x *hunt) now() time.Duration {
	if x.host.Now == nil {
		return 0
	}
	return x.host.Now().Sub(x.began)
}

// trying is how much of the budget is for trials. The rest is for what is done with their findings at the end.
func (x *hunt) trying() time.Duration { return x.Budget - x.Budget/8 }

// over tells whether all is spent.
func (x *hunt) over() bool {
	return x.Budget > 0 && x.now() >= x.trying() || x.Total > 0 && x.spent >= x.Total
}

// limit is after how long a turn is ended, whatever it does then: it has half as much again as it was given, but nothing of what the end needs. 0 is no limit.
func (x *hunt) limit(s slice) time.Duration {
	const least = 100 * time.Millisecond
	if x.Budget <= 0 {
		return 0
	}
	return max(least, min(s.budget+s.budget/2, x.trying()-x.now()))
}

// open opens the store, and the folder that trials write to.
func (x *hunt) open() (err error) {
	if x.store, err = findings.Create(x.Store); err != nil {
		return err
	}
	begun := findings.Hunt{Subject: x.store.Subject(x.File), Firmware: x.about.Firmware, Version: x.Version, Engines: x.engines()}
	if x.host.Now != nil {
		begun.Time = x.began.UTC().Format(time.RFC3339)
	}
	if x.record, err = x.store.Begin(begun); err != nil {
		x.close()
		return err
	}
	x.work = filepath.Join(x.Store, "work") // the store is ours alone: what a killed hunt has left there is worth nothing
	if err = os.RemoveAll(x.work); err == nil {
		err = os.MkdirAll(x.work, 0o755)
	}
	if err == nil && x.Out != "" {
		err = os.MkdirAll(x.Out, 0o755)
	}
	if err != nil {
		x.close()
	}
	return err
}

func (x *hunt) close() {
	if x.work != "" {
		_ = os.RemoveAll(x.work)
	}
	_ = x.store.Close()
}

// turn gives a trial its turn.
func (x *hunt) turn(ctx context.Context, t *trial) error {
	s := x.slice(t)
	if err := os.MkdirAll(s.out, 0o755); err != nil {
		return err
	}
	x.tell("%s of %s", t.engine, t.network)
	start, before := x.now(), len(x.causes)
	short, cancel := within(ctx, x.host, x.limit(s))
	got, err := t.do(short, x.quiet(t), s)
	cancel()
	switch {
	case errors.Is(err, job.ErrInterrupted):
		t.cut(x.now() - start)
		return os.RemoveAll(s.out)
	case err != nil && t.may && !written(err):
		t.note, t.done = err.Error(), true
		return nil
	case err != nil:
		return err
	}
	took := x.now() - start
	x.spent += got.events
	t.took(got, took)
	t.lines += x.code.add(got.covered)
	x.code.inputs += got.inputs
	x.orders[t.network] += got.orders
	for _, text := range got.listens {
		x.code.listens[text] = true
	}
	for _, text := range s.doubts {
		delete(x.doubtful, text)
	}
	for _, text := range got.doubtful {
		x.doubtful[text] = true
	}
	const most = 2
	s.doubts = got.doubtful
	if t.open = nil; got.open && x.Budget > 0 && s.again < most {
		t.open = &s
	}
	for i := range got.sights {
		if err := x.saw(ctx, t, &got.sights[i]); err != nil {
			return err
		}
	}
	t.found += len(x.causes) - before
	t.gain(x.code.gained+20*(len(x.causes)-before), x.cost(got.events, took))
	if t.open != nil {
		return nil // its log is needed
	}
	return os.RemoveAll(s.out)
}

// written tells whether an error is about what could not be written: then nothing can be kept.
func written(err error) bool {
	var failed *os.PathError
	return errors.As(err, &failed) && failed.Op != "open" && failed.Op != "stat" || errors.Is(err, syscall.ENOSPC)
}

// cost is what a slice has cost: time, or events if time does not matter.
func (x *hunt) cost(events uint64, took time.Duration) float64 {
	if x.Budget > 0 {
		return took.Seconds() + 0.1
	}
	return float64(events)/10_000 + 0.1
}

// tell says what is done now.
func (x *hunt) tell(format string, args ...any) {
	if x.host.Progress == nil {
		return
	}
	text := fmt.Sprintf("hunting: "+format, args...)
	if n := len(x.causes); n > 0 {
		text += fmt.Sprintf("; %d found", n)
	}
	x.host.Progress(job.Progress{Kind: job.Doing, Text: text, Findings: len(x.causes), Events: x.spent})
}

// quiet is the host of a trial: only how far it is passes on.
func (x *hunt) quiet(t *trial) job.Host {
	h := x.host
	h.Progress = func(p job.Progress) {
		if p.Kind == job.Exploring && p.Events > 0 {
			x.tell("%s of %s: %d events", t.engine, t.network, p.Events)
		}
	}
	return h
}

// settle looks at what waited for the end, and ends the hunt in the store.
func (x *hunt) settle(ctx context.Context) (*findings.Outcome, error) {
	const least = time.Millisecond
	budget := x.Budget
	if budget > 0 {
		budget = max(least, budget-x.now())
	}
	left, cancel := within(ctx, x.host, budget)
	defer cancel()
	if err := x.weigh(left); err != nil {
		return nil, err
	}
	gone, err := x.reconsider(left)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(x.causes, worse)
	if err := x.regressions(left); err != nil {
		return nil, err
	}
	x.record.Ended, x.record.Spent = ctx.Err() == nil, x.spent
	return x.store.End(x.record, gone)
}

// finish sums up.
func (x *hunt) finish(ctx context.Context) (*document.Hunted, error) {
	changes, err := x.settle(ctx)
	if err != nil {
		return nil, err
	}
	if x.host.Progress != nil {
		x.host.Progress(job.Progress{Kind: job.Doing})
	}
	doc := x.document(ctx, changes)
	if x.Out != "" {
		return doc, job.KeepReport(x.Out, doc)
	}
	return doc, nil
}

// document is what was found.
func (x *hunt) document(ctx context.Context, changes *findings.Outcome) *document.Hunted {
	interrupted := ctx.Err() != nil
	doc := &document.Hunted{Subject: x.File, Firmware: x.about.Firmware, Boards: x.about.Boards, Builds: x.about.Builds, Findings: []*document.HuntFinding{},
		Refuted: document.List(x.refuted), Changes: changes, Salvaged: x.store.Salvaged(), Trials: []*document.HuntTrial{}, Coverage: x.code.document(x.about), Events: x.spent,
		Stopped: interrupted || x.over(), TimeS: x.now().Seconds()}
	c := verdict.Case{}
	for _, k := range x.causes {
		doc.Findings = append(doc.Findings, k.document(x.store))
		if k.Grade.Fails() && k.State != findings.Dismissed {
			c.Findings++
		}
	}
	for _, t := range x.trials {
		doc.Trials = append(doc.Trials, t.document())
	}
	if interrupted {
		c.Miss(verdict.Interrupted)
	}
	c.Miss("a hunt tries some orders of events and some inputs, not all")
	c.Miss(x.doubts()...)
	doc.Verdict, doc.LeftOut = c.Verdict(), document.List(c.LeftOut)
	return doc
}
