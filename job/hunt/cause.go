package hunt

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"motehound/job"
	"motehound/job/document"
	"motehound/job/findings"
)

// cause is a finding that was confirmed, with all who saw it.
type cause struct {
	document.HuntFinding
}

// saw takes what an engine has found: it is confirmed, and kept.
func (x *hunt) saw(ctx context.Context, t *trial, s *sight) error {
	key := s.Cause().Key()
	i := slices.IndexFunc(x.causes, func(c *cause) bool { return c.Key == key })
	if i >= 0 && slices.Contains(x.causes[i].Engines, t.engine) {
		return nil
	}
	seen := document.HuntSight{Engine: t.engine, Network: t.network, Events: x.spent, AfterS: x.now().Seconds()}
	why, err := x.refutes(ctx, s)
	if err != nil {
		return err
	}
	if why != "" {
		x.refuted = append(x.refuted, fmt.Sprintf("%s, found by %s: %s", s.Title, t.engine, why))
		return nil
	}
	if i >= 0 {
		c := x.causes[i]
		c.Engines, c.Seen = append(c.Engines, t.engine), append(c.Seen, seen)
		return x.keep(c)
	}
	c := &cause{s.HuntFinding}
	c.Engines, c.Seen = []string{t.engine}, []document.HuntSight{seen}
	c.Subject, c.Last.Spent = x.record.Subject, x.spent
	if s.bundle != "" {
		data, err := os.ReadFile(s.bundle)
		if err == nil {
			c.Bundle, err = x.store.Keep(&c.Finding, "recipe.zip", data)
		}
		if err != nil {
			return err
		}
	}
	if err := x.keep(c); err != nil {
		return err
	}
	x.causes = append(x.causes, c)
	if x.host.Progress != nil {
		x.host.Progress(job.Progress{Kind: job.Note, Text: fmt.Sprintf("found by %s after %.1f s: %s", t.engine, seen.AfterS, c.Title), Events: x.spent, Findings: len(x.causes)})
	}
	return nil
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
func (x *hunt) refutes(ctx context.Context, s *sight) (why string, err error) {
	if s.unproven {
		return "", nil
	}
	if s.bundle == "" {
		return "there is no recipe", nil
	}
	x.tell("replaying: %s", s.Title)
	h := x.host
	h.Progress = nil
	got, err := job.Replay{Recipe: s.bundle, NoRepair: true}.Do(ctx, h)
	switch {
	case errors.Is(err, job.ErrInterrupted):
		return "no time was left to replay it", nil
	case err != nil:
		return err.Error(), nil
	}
	if err := got.Refused(); err != nil {
		return err.Error(), nil
	}
	if s.Ran != nil && !slices.ContainsFunc(got.Run.Findings, func(f document.RunFinding) bool {
		return f.Property == s.Property && f.Function == s.Function && f.Line == s.Line
	}) {
		return "it does not show again", nil
	}
	return "", nil
}

// worse orders causes: violations and races by how bad they are, then what is only a hint; of two alike, the one that was seen first.
func worse(a, b *cause) int {
	place := func(x any, order ...any) int { return slices.Index(order, x) }
	fails := func(c *cause) int {
		if c.Grade.Fails() {
			return 0
		}
		return 1 + place(c.Grade, any(findings.Difference), any(findings.Symptom))
	}
	severity := func(c *cause) int {
		return place(c.Severity, any(findings.High), any(findings.Medium), any(findings.Low))
	}
	return cmp.Or(fails(a)-fails(b), severity(a)-severity(b), cmp.Compare(a.Seen[0].Events, b.Seen[0].Events))
}

// document is the cause for a report.
func (c *cause) document(store *findings.Store) *document.HuntFinding {
	f := c.HuntFinding
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
