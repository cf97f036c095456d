package hunt

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"motehound/job"
	"motehound/job/document"
	"motehound/job/findings"
)

// Parts is a hunt whose trials are made one by one, with a budget of events each: a part is a trial, with the looks at its own hints. Parts behind the last trial are the
// same trials with other seeds. What they found is put together one for each cause.
//
// A store of findings is no part of it: nothing is compared with earlier hunts, and no regression scenarios are written.
type Parts struct {
	Request Request

	about *job.Surveyed
}

// part is what a part gave.
type part struct {
	Number    int                   `json:"number"`
	Events    uint64                `json:"events"`
	Trials    []*document.HuntTrial `json:"trials"` // the first is the trial itself, others are looks at its hints
	Causes    []carried             `json:"causes,omitempty"`
	Hints     []carried             `json:"hints,omitempty"`
	Refuted   []string              `json:"refuted,omitempty"`
	Doubtful  []string              `json:"doubtful,omitempty"`
	Orders    map[string]uint64     `json:"orders,omitempty"`
	Lines     []string              `json:"lines,omitempty"`
	Functions map[string]bool       `json:"functions,omitempty"`
	Inputs    uint64                `json:"inputs,omitempty"`
	Listens   []string              `json:"listens,omitempty"`
}

// carried is a sight that goes from one process to another.
type carried struct {
	document.HuntFinding
	Data     []byte      `json:"data,omitempty"` // of its bundle
	Unproven bool        `json:"unproven,omitempty"`
	From     *job.Moment `json:"from,omitempty"`
	Look     string      `json:"look_network,omitempty"`
}

// begin begins a hunt with a store of its own, which end takes away.
func (c *Parts) begin(ctx context.Context, r Request, h job.Host) (x *hunt, end func(), err error) {
	if r.Store, err = os.MkdirTemp("", "motehound-hunt-"); err != nil {
		return nil, nil, err
	}
	r.Budget, r.Threads, r.Out = 0, 1, ""
	if err = r.valid(); err == nil {
		x, err = r.begin(ctx, c.about, h)
	}
	if err != nil {
		_ = os.RemoveAll(r.Store)
		return nil, nil, err
	}
	c.about = x.about
	x.code.add(nil)
	return x, func() {
		x.close()
		_ = os.RemoveAll(r.Store)
	}, nil
}

// Count implements job.Parts: it is how many trials there are.
func (c *Parts) Count(ctx context.Context, h job.Host) (int, error) {
	x, end, err := c.begin(ctx, c.Request, h)
	if err != nil {
		return 0, err
	}
	defer end()
	return len(x.trials), nil
}

// Part makes a trial.
func (c *Parts) Part(ctx context.Context, p job.PartOf, h job.Host) (*job.Portion, error) {
	number, err := c.Count(ctx, h)
	if err != nil {
		return nil, err
	}
	if number == 0 {
		return nil, fmt.Errorf("there is nothing to try with the engines %v", c.Request.Engines)
	}
	r := c.Request
	r.Total = p.Events
	round := p.Number / number
	if round > 0 {
		seed := seedOf(&r, round)
		r.Seed = &seed
	}
	x, end, err := c.begin(ctx, r, h)
	if err != nil {
		return nil, err
	}
	defer end()
	x.trials = []*trial{x.trials[p.Number%number]}
	if round > 0 && x.trials[0].engine == engineSymbolic {
		x.trials[0].done, x.trials[0].note = true, "seeds make no difference to it"
	}
	if err := x.turns(ctx); err != nil {
		return nil, err
	}
	if ctx.Err() != nil {
		return nil, &job.Unfinished{}
	}
	return x.portion(p.Number, round)
}

// seedOf is the first seed of a round: slices of the round before have the seeds in between.
func seedOf(r *Request, round int) uint64 {
	const apart = 1000
	seed := uint64(job.UsualSeed)
	if r.Seed != nil {
		seed = *r.Seed
	}
	return seed + uint64(round)*apart
}

// portion is what a part has given.
func (x *hunt) portion(number, round int) (*job.Portion, error) {
	p := part{Number: number, Events: x.spent, Refuted: x.refuted, Doubtful: slices.Sorted(maps.Keys(x.doubtful)), Orders: x.orders,
		Lines: slices.Sorted(maps.Keys(x.code.lines)), Functions: x.code.functions, Inputs: x.code.inputs, Listens: slices.Sorted(maps.Keys(x.code.listens))}
	for _, t := range x.trials {
		d := t.document()
		if round > 0 {
			d.Network += fmt.Sprintf(", other seeds %d", round)
		}
		p.Trials = append(p.Trials, d)
	}
	out := new(job.Portion)
	for _, k := range x.causes {
		y := carried{HuntFinding: k.HuntFinding}
		if k.Bundle != "" {
			var err error
			if y.Data, err = os.ReadFile(x.store.Path(k.Bundle)); err != nil {
				return nil, err
			}
		}
		p.Causes = append(p.Causes, y)
		out.Causes = append(out.Causes, k.Title)
	}
	for i := range x.hints {
		s := &x.hints[i]
		y := carried{HuntFinding: s.HuntFinding, Data: s.data, Unproven: s.unproven, From: s.from, Look: s.look}
		y.Seen = []document.HuntSight{s.seen}
		p.Hints = append(p.Hints, y)
	}
	var err error
	out.Data, err = json.Marshal(p)
	return out, err
}

// Together puts together what parts have found.
func (c *Parts) Together(ctx context.Context, list []json.RawMessage, h job.Host) (any, [][]byte, error) {
	x, end, err := c.begin(ctx, c.Request, h)
	if err != nil {
		return nil, nil, err
	}
	defer end()
	var trials []*document.HuntTrial
	for _, data := range list {
		var p part
		if err := json.Unmarshal(data, &p); err != nil {
			return nil, nil, err
		}
		if len(p.Trials) == 0 || slices.ContainsFunc(p.Hints, func(y carried) bool { return len(y.Seen) == 0 }) {
			return nil, nil, errors.New("a part of the hunt is not complete: delete the campaign's folder and start it again")
		}
		if err := x.take(ctx, &p); err != nil {
			return nil, nil, err
		}
		trials = append(trials, p.Trials...)
	}
	if err := x.weigh(ctx); err != nil {
		return nil, nil, err
	}
	if ctx.Err() != nil {
		return nil, nil, &job.Unfinished{}
	}
	slices.SortStableFunc(x.causes, worse)
	doc := x.document(ctx, nil)
	doc.Trials = trials
	bundles, err := x.bundles(doc)
	return doc, bundles, err
}

// take takes what a part has found.
func (x *hunt) take(ctx context.Context, p *part) error {
	before, from := len(x.causes), x.spent
	for i := range p.Hints {
		s := x.carry(&p.Hints[i], from)
		s.weak = true
		x.hints = append(x.hints, *s)
	}
	for i := range p.Causes {
		y := &p.Causes[i]
		for k := range y.Seen { // who sees it first is to be told
			one := *y
			one.Seen = y.Seen[k : k+1]
			s := x.carry(&one, from)
			if err := x.unpack(s); err != nil {
				return err
			}
			if err := x.believe(ctx, s); err != nil {
				return err
			}
		}
	}
	x.spent += p.Events
	p.Trials[0].Lines, p.Trials[0].Findings = 0, len(x.causes)-before
	for _, at := range p.Lines {
		if !x.code.lines[at] {
			x.code.lines[at] = true
			p.Trials[0].Lines++
		}
	}
	for name, reached := range p.Functions {
		x.code.functions[name] = x.code.functions[name] || reached
	}
	for _, text := range p.Listens {
		x.code.listens[text] = true
	}
	for _, text := range p.Doubtful {
		x.doubtful[text] = true
	}
	for network, n := range p.Orders {
		x.orders[network] += n
	}
	x.code.inputs += p.Inputs
	x.refuted = append(x.refuted, p.Refuted...)
	return nil
}

// carry is a sight that has come from another process. Its part began when so many events were fired.
func (x *hunt) carry(y *carried, from uint64) *hint {
	s := &hint{sight: sight{HuntFinding: y.HuntFinding, unproven: y.Unproven, from: y.From, world: x.World}, seen: y.Seen[0], data: y.Data, look: y.Look}
	s.seen.Events += from
	s.Recipe, s.Bundle, s.Scenario, s.First, s.Last, s.Gone, s.State = "", "", "", findings.Sight{}, findings.Sight{}, nil, ""
	return s
}

// unpack writes the bundle of a sight, for its replay.
func (x *hunt) unpack(s *hint) error {
	if s.data == nil {
		return nil
	}
	s.bundle = filepath.Join(x.work, "hint.zip")
	return os.WriteFile(s.bundle, s.data, 0o666)
}

// bundles are those of a document's findings, in their order. The document names no files then: they are gone soon.
func (x *hunt) bundles(doc *document.Hunted) (list [][]byte, err error) {
	for _, f := range doc.Findings {
		var data []byte
		if f.Bundle != "" {
			if data, err = os.ReadFile(x.store.Path(f.Bundle)); err != nil {
				return nil, err
			}
		}
		list = append(list, data)
		f.Subject, f.Bundle, f.Replay = doc.Subject, "", ""
		if f.Explored != nil {
			f.Explored.Bundle = ""
		}
		if f.Solved != nil {
			f.Solved.Recipe, f.Solved.Bundle = "", ""
		}
	}
	return list, nil
}
