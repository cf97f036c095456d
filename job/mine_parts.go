package job

import (
	"context"
	"encoding/json"
	"fmt"

	"motehound/job/document"
)

// MineParts is a Mine whose runs are made one by one: a part is a run. The ranking is that of Mine itself.
type MineParts struct {
	Request Mine

	plans []plannedRun
}

// minedPart is what a run gave.
type minedPart struct {
	Number int               `json:"number"`
	Run    document.MinedRun `json:"run"`
	Builds [][]byte          `json:"builds"` // that were watched in it, as package mining packs them
}

// ready plans the runs, once.
func (c *MineParts) ready(h Host) (err error) {
	f := &c.Request
	switch {
	case c.plans != nil:
		return nil
	case f.Trace != "" || f.Page:
		return fmt.Errorf("a campaign mines runs, not logs of deployed motes, and makes no page")
	}
	if _, err = f.valid(); err == nil {
		c.plans, err = f.plans(h)
	}
	return err
}

// Count implements Parts.
func (c *MineParts) Count(_ context.Context, h Host) (int, error) {
	if err := c.ready(h); err != nil {
		return 0, err
	}
	return c.Request.Runs * len(c.plans), nil
}

// Part makes a run.
func (c *MineParts) Part(ctx context.Context, p PartOf, h Host) (*Portion, error) {
	if err := c.ready(h); err != nil {
		return nil, err
	}
	m := new(Mined)
	if err := c.Request.gather(ctx, c.plans, p.Number, h, m); err != nil {
		return nil, err
	}
	if ctx.Err() != nil {
		return nil, &Unfinished{}
	}
	got := minedPart{Number: p.Number, Run: m.Runs[0]}
	for _, b := range m.Builds {
		got.Builds = append(got.Builds, b.Collection.Pack())
	}
	return portionOf(got)
}

// Together ranks the intervals of all runs.
func (c *MineParts) Together(ctx context.Context, list []json.RawMessage, h Host) (any, [][]byte, error) {
	if err := c.ready(h); err != nil {
		return nil, nil, err
	}
	f, m := &c.Request, new(Mined)
	detector, err := f.valid()
	if err != nil {
		return nil, nil, err
	}
	for _, data := range list {
		var p minedPart
		if err := json.Unmarshal(data, &p); err != nil {
			return nil, nil, err
		}
		if err := c.take(&p, h, m); err != nil {
			return nil, nil, fmt.Errorf("run %d: %w", p.Number, err)
		}
	}
	if err := f.filter(m); err != nil {
		return nil, nil, err
	}
	if err := f.rank(ctx, m, detector, h); err != nil {
		return nil, nil, err
	}
	return m.Document, nil, nil
}

// take adds a run that somebody has made.
func (c *MineParts) take(p *minedPart, h Host, m *Mined) error {
	_, _, watched, err := c.Request.begin(c.plans, p.Number, h.quiet(), m)
	if err != nil {
		return err
	}
	if len(watched) != len(p.Builds) {
		return fmt.Errorf("%d builds were mined, and there are %d", len(p.Builds), len(watched))
	}
	for i, x := range watched {
		if err := x.build.Collection.Take(p.Builds[i], len(m.Runs)); err != nil {
			return err
		}
		if i == 0 {
			p.Run.Firmware = x.build.Name
			p.Run.Also = nil
		} else {
			p.Run.Also = append(p.Run.Also, x.build.Name)
		}
	}
	m.Runs = append(m.Runs, p.Run)
	return nil
}
