package hunt

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"motehound/job"
	"motehound/job/document"
	"motehound/job/findings"
	"motehound/job/phrase"
)

// cause is a finding that was confirmed, with all who saw it.
type cause struct {
	document.HuntFinding
}

// hint is a sight that is kept back.
type hint struct {
	sight
	seen document.HuntSight
	data []byte // of its bundle
	look string // the network of the trials that look at it again; "" for none
}

// saw takes what an engine has found: it is confirmed, and kept. Hints wait for the end.
func (x *hunt) saw(ctx context.Context, t *trial, s *sight) error {
	seen := document.HuntSight{Engine: t.engine, Network: t.network, Events: x.spent, AfterS: x.now().Seconds()}
	var data []byte
	if s.bundle != "" {
		var err error
		if data, err = os.ReadFile(s.bundle); err != nil {
			return err
		}
	}
	if s.weak {
		x.hints = append(x.hints, hint{*s, seen, data, x.again(s, t.network)})
		return nil
	}
	return x.believe(ctx, &hint{*s, seen, data, ""})
}

// again plans trials that start where a hint begins, and gives the name of their network.
func (x *hunt) again(s *sight, network string) string {
	const most = 3
	if s.from == nil || x.looks == most {
		return ""
	}
	x.looks++
	name := fmt.Sprintf("%s, from cycle %d of mote %d", network, s.from.Cycle, s.from.Mote)
	x.add(trial{engine: engineCheck, network: name, do: from(s.from, x.check(s.world, false)), first: 20_000})
	x.add(trial{engine: engineFuzz, network: name, do: from(s.from, x.fuzz(s.world)), first: 20_000})
	return name
}

// from has an engine start at a moment.
func from(m *job.Moment, do func(context.Context, job.Host, slice) (*outcome, error)) func(context.Context, job.Host, slice) (*outcome, error) {
	return func(ctx context.Context, h job.Host, s slice) (*outcome, error) {
		s.from = m
		return do(ctx, h, s)
	}
}

// believe confirms a finding and keeps it, unless this engine has seen its cause before.
func (x *hunt) believe(ctx context.Context, s *hint) error {
	key, engine := s.Cause().Key(), s.seen.Engine
	i := slices.IndexFunc(x.causes, func(c *cause) bool { return c.Key == key || c.covers(&s.Finding) })
	if i >= 0 && slices.Contains(x.causes[i].Engines, engine) {
		return nil
	}
	if why := x.refutes(ctx, &s.sight); why != "" {
		x.refuted = append(x.refuted, fmt.Sprintf("%s, found by %s: %s", s.Title, engine, why))
		return nil
	}
	if i >= 0 {
		return x.also(x.causes[i], s.seen)
	}
	c := &cause{s.HuntFinding}
	c.Engines, c.Seen = []string{engine}, []document.HuntSight{s.seen}
	if i := slices.IndexFunc(x.hints, func(h hint) bool { return h.look != "" && h.look == s.seen.Network }); i >= 0 {
		c.Look = fmt.Sprintf("promoted: %s started where %s saw a %s, and found it", engine, x.hints[i].seen.Engine, x.hints[i].Grade)
	}
	c.Subject, c.Last.Spent = x.record.Subject, s.seen.Events
	if s.data != nil {
		var err error
		if c.Bundle, err = x.store.Keep(&c.Finding, "recipe.zip", s.data); err != nil {
			return err
		}
	}
	if err := x.keep(c); err != nil {
		return err
	}
	x.causes = append(x.causes, c)
	if x.host.Progress != nil {
		x.host.Progress(job.Progress{Kind: job.Note, Text: fmt.Sprintf("found by %s after %.1f s: %s", engine, s.seen.AfterS, c.Title), Events: x.spent, Findings: len(x.causes)})
	}
	return nil
}

// covers tells whether another finding is the same access to memory, which leaves its variable and destroys the stack, too, and is no worse.
func (c *cause) covers(f *findings.Finding) bool {
	const memory = "memory: "
	return f.File != "" && c.File == f.File && c.Line == f.Line && c.Function == f.Function && strings.HasPrefix(c.Property, memory) && strings.HasPrefix(f.Property, memory) &&
		c.Grade == f.Grade && (c.Severity == f.Severity || c.Severity == findings.High)
}

// also notes that another engine sees a cause.
func (x *hunt) also(c *cause, seen document.HuntSight) error {
	c.Engines, c.Seen = append(c.Engines, seen.Engine), append(c.Seen, seen)
	return x.keep(c)
}

// weigh looks at the hints, when all else is done: those with the cause of something stronger belong to that, and few of the others are shown.
func (x *hunt) weigh(ctx context.Context) error {
	const most = 5
	shown := 0
	slices.SortStableFunc(x.hints, func(a, b hint) int { return cmp.Compare(a.usual(), b.usual()) })
	for i := range x.hints {
		s := &x.hints[i]
		if stronger := slices.IndexFunc(x.causes, s.same); stronger >= 0 {
			c := x.causes[stronger]
			if slices.Contains(c.Engines, s.seen.Engine) {
				continue
			}
			c.Look = fmt.Sprintf("promoted: %s alone saw a %s in it", s.seen.Engine, s.Grade)
			if err := x.also(c, s.seen); err != nil {
				return err
			}
			continue
		}
		if shown == most || ctx.Err() != nil {
			x.doubtful["more hints than are shown"] = true
			break
		}
		if err := x.unpack(s); err != nil {
			return err
		}
		s.Look = x.looked(s)
		before := len(x.causes)
		if err := x.believe(ctx, s); err != nil {
			return err
		}
		shown += len(x.causes) - before
	}
	return nil
}

// looked says what trying other orders of events gave, from where the hint begins, or in the same network: nothing that has the cause of the hint, or that would be known by now.
func (x *hunt) looked(s *hint) string {
	n := x.orders[s.seen.Network]
	if s.Explored != nil || s.Ran != nil { // it was replayed as it is
		return ""
	}
	if k := x.orders[s.look]; k > 0 {
		return fmt.Sprintf("harmless in %s of events: nothing broke in those that were tried from where it begins (cycle %d of mote %d)", phrase.Counted(int(k), "order"), s.from.Cycle, s.from.Mote)
	}
	if n == 0 {
		return findings.NotLooked
	}
	return fmt.Sprintf("nothing broke because of it in %s of events in the same network", phrase.Counted(int(n), "other order"))
}

// usual is how often what a hint is about happens, if it is known.
func (s *hint) usual() float64 {
	if s.Mined == nil {
		return 0
	}
	lost := &s.Mined.Lost[0]
	return float64(lost.Times) / float64(max(1, lost.Values))
}

// same tells whether a hint has a known cause: the same goes wrong there, or it is at the same line.
func (s *hint) same(c *cause) bool {
	grade := func(f findings.Finding) findings.Cause {
		k := f.Cause()
		k.Grade = findings.Symptom
		return k
	}
	return grade(s.Finding).Key() == grade(c.Finding).Key() || s.File != "" && s.File == c.File && s.Line == c.Line
}

// keep puts a cause into the store, and takes what the store knows of it.
func (x *hunt) keep(c *cause) error {
	kept, err := x.store.Saw(x.record, c.Finding)
	if err != nil {
		return err
	}
	engines := c.Engines
	c.Finding = *kept
	c.Engines = engines
	return nil
}

// refutes replays a finding: it says why that does not show the same; "" if it does.
func (x *hunt) refutes(ctx context.Context, s *sight) (why string) {
	if s.unproven {
		return ""
	}
	if s.bundle == "" {
		return "there is no recipe"
	}
	x.tell("replaying: %s", s.Title)
	h := x.host
	h.Progress = nil
	got, err := job.Replay{Recipe: s.bundle, NoRepair: true, Nearest: s.Property}.Do(ctx, h)
	switch {
	case errors.Is(err, job.ErrInterrupted):
		return "no time was left to replay it"
	case err != nil:
		return err.Error()
	}
	if err := got.Refused(); err != nil {
		return err.Error()
	}
	if s.Ran != nil && !slices.ContainsFunc(got.Run.Findings, func(f document.RunFinding) bool {
		return f.Property == s.Property && f.Function == s.Function && f.Line == s.Line
	}) {
		return "it does not show again"
	}
	s.Nearest = got.Nearest
	return ""
}

// worse orders causes: violations and races by how bad they are, then what is only a hint, in the same way; of two alike, the one that was seen first.
func worse(a, b *cause) int {
	place := func(x any, order ...any) int { return slices.Index(order, x) }
	fails := func(c *cause) int {
		if c.Grade.Fails() {
			return 0
		}
		return 1
	}
	severity := func(c *cause) int {
		return place(c.Severity, any(findings.High), any(findings.Medium), any(findings.Low))
	}
	return cmp.Or(fails(a)-fails(b), severity(a)-severity(b), cmp.Compare(a.Seen[0].Events, b.Seen[0].Events))
}

// document is the cause for a report.
func (c *cause) document(store *findings.Store) *document.HuntFinding {
	f := c.HuntFinding
	f.Nearest = cmp.Or(f.Nearest, usual(&f))
	if f.Bundle != "" {
		f.Replay = store.Path(f.Bundle)
	}
	if f.Explored != nil { // the recipe that it names was only for the trial
		y := *f.Explored
		y.Recipe, y.Bundle = "", f.Replay
		f.Explored = &y
	}
	return &f
}

// doubts are what was found and is not believed, in order.
func (x *hunt) doubts() (list []string) {
	for text := range x.doubtful {
		list = append(list, text)
	}
	slices.Sort(list)
	if n := len(x.refuted); n > 0 {
		list = append(list, fmt.Sprintf("%d of what was found did not replay, and is not shown", n))
	}
	return list
}
