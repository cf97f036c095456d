package campaign

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"motehound/job"
)

// whole does a request that is not split, and gives its document.
type whole func(ctx context.Context, request json.RawMessage, h job.Host) (any, error)

// asking is how a request is done as a whole: it begins as usual, says what the campaign's does, and its document is what it gives.
func asking[R, D any](usual func() R, do func(context.Context, R, job.Host) (D, error), document func(D) any) whole {
	return func(ctx context.Context, request json.RawMessage, h job.Host) (any, error) {
		r := usual()
		if err := json.Unmarshal(request, &r); err != nil {
			return nil, err
		}
		d, err := do(ctx, r, h)
		if err != nil {
			return nil, err
		}
		return document(d), nil
	}
}

// wholes are the jobs that a campaign can do.
var wholes = map[string]whole{
	"check": asking(func() job.Check {
		f := job.NewCheck("")
		f.Budget, f.Threads = 0, 1
		return f
	}, func(ctx context.Context, f job.Check, h job.Host) (*job.Checked, error) { return f.Do(ctx, h) }, func(d *job.Checked) any { return d.Document }),
	"fuzz": asking(func() job.Fuzz {
		f := job.NewFuzz("")
		f.Budget, f.Threads = 0, 1
		return f
	}, func(ctx context.Context, f job.Fuzz, h job.Host) (*job.Fuzzed, error) { return f.Do(ctx, h) }, func(d *job.Fuzzed) any { return d.Document }),
	"symbolic": asking(func() job.Symbolic {
		f := job.NewSymbolic("")
		f.Budget = 0
		return f
	}, func(ctx context.Context, f job.Symbolic, h job.Host) (*job.Outcomes, error) { return f.Do(ctx, h) }, func(d *job.Outcomes) any { return d.Document }),
	"mine": asking(func() job.Mine { return job.NewMine() },
		func(ctx context.Context, f job.Mine, h job.Host) (*job.Mined, error) { return f.Do(ctx, h) }, func(d *job.Mined) any { return d.Document }),
	"run": asking(func() job.Run { return job.Run{World: job.NewWorld()} },
		func(ctx context.Context, f job.Run, h job.Host) (*job.Ran, error) { return f.Do(ctx, h) }, func(d *job.Ran) any { return d.Document }),
}

func wholeNames() []string { return slices.Sorted(maps.Keys(wholes)) }

// Doer does items of a campaign, one at a time. It keeps what they read between items of one strand, so that small items are cheap.
type Doer struct {
	Campaign *Campaign
	Own      func(request json.RawMessage) (any, error) // does the job of that name; nil for none
	id       string
	strand   int // of shared and parts
	shared   *job.Shared
	parts    job.Parts
}

// NewDoer does items of a campaign.
func NewDoer(c *Campaign) *Doer { return &Doer{Campaign: c, id: c.ID()} }

// ID is the campaign's.
func (d *Doer) ID() string { return d.id }

// Do does an item, from the folder of the campaign. Blob gives what the item names by its hash. An error is one that another try may not meet.
func (d *Doer) Do(ctx context.Context, i Item, blob func(hash string) ([]byte, error), h job.Host) (*Result, error) {
	r := d.result(i)
	if i.Strand < 0 || i.Strand >= len(d.Campaign.Strands) {
		return nil, fmt.Errorf("item %s is none of campaign %s", i.ID(), r.Campaign)
	}
	s := &d.Campaign.Strands[i.Strand]
	h.Now, h.After = nil, nil // documents have no time of the host in them
	var err error
	switch {
	case s.parted():
		err = d.portion(ctx, r, s, blob, h)
	case s.split():
		err = d.part(ctx, r, s, blob, h)
	default:
		r.Document, err = d.whole(ctx, s, h)
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	return r, nil
}

// whole does a strand that is not split.
func (d *Doer) whole(ctx context.Context, s *Strand, h job.Host) (json.RawMessage, error) {
	var doc any
	var err error
	switch {
	case s.Job != Own:
		doc, err = wholes[s.Job](ctx, s.Request, h)
	case d.Own != nil:
		doc, err = d.Own(s.Request)
	default:
		err = errors.New("another program does this by itself")
	}
	if err != nil {
		return nil, err
	}
	return json.Marshal(doc)
}

// part does a part of a strand.
func (d *Doer) part(ctx context.Context, r *Result, s *Strand, blob func(string) ([]byte, error), h job.Host) (err error) {
	if d.shared == nil || d.strand != r.Item.Strand {
		if d.shared, err = s.shared(); err != nil {
			return err
		}
		d.strand = r.Item.Strand
	}
	share := r.Item.Share
	if r.Item.Begin != "" {
		data, err := blob(r.Item.Begin)
		if err != nil {
			return err
		}
		if err := json.Unmarshal(data, &share.Begin); err != nil {
			return fmt.Errorf("the corpus %s: %w", r.Item.Begin, err)
		}
	}
	r.Part, err = d.shared.Do(ctx, share, h)
	r.Item.Share.Known = nil // the result need not say again what was asked
	return err
}

// Fail is the result of an item that nobody could do.
func (d *Doer) Fail(i Item, why string) *Result {
	r := d.result(i)
	r.Failed = why
	return r
}

func (d *Doer) result(i Item) *Result {
	return &Result{Format: Format, Campaign: d.id, Version: d.Campaign.Version, Item: i}
}
