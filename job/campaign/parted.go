package campaign

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"motehound/job"
	"motehound/job/hunt"
)

// parted are the jobs that are done in parts of their own kind, which one more item puts together.
var parted = map[string]func(request json.RawMessage) (job.Parts, error){
	"mine": parting(func() *job.MineParts { return &job.MineParts{Request: job.NewMine()} }, func(p *job.MineParts) any { return &p.Request }),
	"hunt": parting(func() *hunt.Parts { return &hunt.Parts{Request: hunt.New("")} }, func(p *hunt.Parts) any { return &p.Request }),
	"symbolic": parting(func() *job.SymbolicParts { return &job.SymbolicParts{Request: job.NewSymbolic("")} },
		func(p *job.SymbolicParts) any { return &p.Request }),
}

// parting reads a request into what does its parts.
func parting[P job.Parts](usual func() P, request func(P) any) func(json.RawMessage) (job.Parts, error) {
	return func(data json.RawMessage) (job.Parts, error) {
		p := usual()
		if err := json.Unmarshal(data, request(p)); err != nil {
			return nil, err
		}
		return p, nil
	}
}

// parted tells whether a strand is done in parts of its own kind.
func (s *Strand) parted() bool { return s.split() && parted[s.Job] != nil }

func (s *Strand) checkParted() error {
	if s.Walks > 0 || s.Epochs > 0 {
		return fmt.Errorf("%s has no walks and no epochs", s.Job)
	}
	if _, err := parted[s.Job](s.Request); err != nil {
		return fmt.Errorf("the request of %s: %w", s.Job, err)
	}
	return nil
}

// Count finds out how many parts a strand has that are known from the start.
func (s *Strand) Count(ctx context.Context, h job.Host) error {
	p, err := parted[s.Job](s.Request)
	if err == nil {
		s.Items, err = p.Count(ctx, h)
	}
	return err
}

// portion does a part of a strand, or puts all of them together.
func (d *Doer) portion(ctx context.Context, r *Result, s *Strand, blob func(string) ([]byte, error), h job.Host) (err error) {
	if d.parts == nil || d.strand != r.Item.Strand {
		if d.parts, err = parted[s.Job](s.Request); err != nil {
			return err
		}
		d.shared, d.strand = nil, r.Item.Strand
	}
	if r.Item.Epoch == 0 {
		r.Portion, err = d.parts.Part(ctx, job.PartOf{Number: r.Item.Number, Piece: r.Item.Piece, Events: r.Item.Share.Events}, h)
		return err
	}
	data, err := blob(r.Item.Begin)
	if err != nil {
		return err
	}
	var list []json.RawMessage
	if err := json.Unmarshal(data, &list); err != nil {
		return fmt.Errorf("the parts %s: %w", r.Item.Begin, err)
	}
	doc, bundles, err := d.parts.Together(ctx, list, h)
	if err != nil {
		return err
	}
	r.Document, err = json.Marshal(doc)
	r.Bundles = bundles
	return err
}

// portion is what a part gave.
type portion struct {
	Item
	data json.RawMessage
}

// portion adds what a part gave.
func (s *sum) portion(i *Item, p *job.Portion) {
	if p.Pieces == 0 {
		s.portions = append(s.portions, portion{*i, p.Data})
	}
	for _, name := range p.Causes {
		s.causes[name] = true
	}
}

// ordered is what parts gave, in the order of the parts.
func (s *sum) ordered() (list []json.RawMessage) {
	slices.SortFunc(s.portions, func(a, b portion) int { return a.before(&b.Item) })
	for i := range s.portions {
		list = append(list, s.portions[i].data)
	}
	return list
}

// Parted tells whether a strand was done in parts of its own kind, and Request what it was asked.
func (l *Ledger) Parted(strand int) bool { return l.strands[strand].parted() }

// Request is the request of a strand.
func (l *Ledger) Request(strand int) json.RawMessage { return l.strands[strand].Request }
