package campaign

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"motehound/job"
)

// whole does a request that is not split, and gives its document.
type whole func(ctx context.Context, request json.RawMessage, h job.Host) (any, error)

// wholes are the jobs that a campaign can do.
var wholes = map[string]whole{
	"check": func(ctx context.Context, request json.RawMessage, h job.Host) (any, error) {
		f := job.NewCheck("")
		f.Budget, f.Threads = 0, 1
		if err := json.Unmarshal(request, &f); err != nil {
			return nil, err
		}
		found, err := f.Do(ctx, h)
		if err != nil {
			return nil, err
		}
		return found.Document, nil
	},
	"fuzz": func(ctx context.Context, request json.RawMessage, h job.Host) (any, error) {
		f := job.NewFuzz("")
		f.Budget, f.Threads = 0, 1
		if err := json.Unmarshal(request, &f); err != nil {
			return nil, err
		}
		found, err := f.Do(ctx, h)
		if err != nil {
			return nil, err
		}
		return found.Document, nil
	},
	"symbolic": func(ctx context.Context, request json.RawMessage, h job.Host) (any, error) {
		f := job.NewSymbolic("")
		f.Budget = 0
		if err := json.Unmarshal(request, &f); err != nil {
			return nil, err
		}
		found, err := f.Do(ctx, h)
		if err != nil {
			return nil, err
		}
		return found.Document, nil
	},
	"mine": func(ctx context.Context, request json.RawMessage, h job.Host) (any, error) {
		f := job.NewMine()
		if err := json.Unmarshal(request, &f); err != nil {
			return nil, err
		}
		found, err := f.Do(ctx, h)
		if err != nil {
			return nil, err
		}
		return found.Document, nil
	},
	"run": func(ctx context.Context, request json.RawMessage, h job.Host) (any, error) {
		f := job.Run{World: job.NewWorld()}
		if err := json.Unmarshal(request, &f); err != nil {
			return nil, err
		}
		ran, err := f.Do(ctx, h)
		if err != nil {
			return nil, err
		}
		return ran.Document, nil
	},
}

func wholeNames() []string { return slices.Sorted(maps.Keys(wholes)) }

// Do does an item, from the folder of the campaign. Blob gives what the item names by its hash. The result says why it could not be done, if that is the
// item's own fault; an error is one that another try may not meet.
func Do(ctx context.Context, c *Campaign, i Item, blob func(hash string) ([]byte, error), h job.Host) (*Result, error) {
	r := &Result{Format: Format, Campaign: c.ID(), Version: c.Version, Item: i}
	if i.Strand < 0 || i.Strand >= len(c.Strands) {
		return nil, fmt.Errorf("item %s is none of campaign %s", i.ID(), r.Campaign)
	}
	s := &c.Strands[i.Strand]
	h.Now, h.After = nil, nil // documents have no time of the host in them
	var err error
	if s.split() {
		err = r.part(ctx, s, blob, h)
	} else {
		var doc any
		if doc, err = wholes[s.Job](ctx, s.Request, h); err == nil {
			r.Document, err = json.Marshal(doc)
		}
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	return r, nil
}

// part does a part of a strand.
func (r *Result) part(ctx context.Context, s *Strand, blob func(string) ([]byte, error), h job.Host) error {
	c, err := s.shared()
	if err != nil {
		return err
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
	r.Part, err = c.Do(ctx, share, h)
	r.Item.Share.Known = nil // the result need not say again what was asked
	return err
}

// Fail is the result of an item that nobody could do.
func Fail(c *Campaign, i Item, why string) *Result {
	return &Result{Format: Format, Campaign: c.ID(), Version: c.Version, Item: i, Failed: why}
}
