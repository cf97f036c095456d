package job

import (
	"context"
	"slices"
	"strings"

	"motehound/job/document"
	"motehound/study/check"
	"motehound/world/recipe"
	"motehound/world/scenario"
)

// Shared is a Check or a Fuzz whose parts are done one by one, by this machine or by others: see package campaign. What a part gives depends on the
// request and the part alone. So nothing here has a budget of time, or learns from the parts before.
type Shared struct {
	Request Fuzz
	Fed     bool // inputs are made up

	loaded loaded // for the next part
}

// Share is what is done of an exploration.
type Share struct {
	check.Part
	Until  int    `json:"until,omitempty"`  // the number of the walk before which walks end; 0 for no walk
	Search bool   `json:"search,omitempty"` // a piece of the search
	Events uint64 `json:"events,omitempty"` // the most of a piece of the search
	// Begin is inputs that others found worth trying.
	Begin [][]check.MadeInput `json:"begin,omitempty"`
}

// SharedPart is what a part gives.
type SharedPart struct {
	Findings []*check.Finding    `json:"findings,omitempty"`
	Stats    check.Stats         `json:"stats"`
	Complete bool                `json:"complete,omitempty"`
	Pieces   int                 `json:"pieces,omitempty"`   // the piece of the search is too large, and can be cut into so many
	LeftOut  []string            `json:"left_out,omitempty"` // by any part is left out by all
	Idle     []string            `json:"idle,omitempty"`     // by every part is left out by all
	Corpus   [][]check.MadeInput `json:"corpus,omitempty"`
	// Told, Stories and Recipes are of findings that were explained, in the order of Findings.
	Told    []*document.Found `json:"told,omitempty"`
	Stories []document.Story  `json:"stories,omitempty"`
	Recipes []*recipe.Recipe  `json:"recipes,omitempty"`
}

// Do does a part.
func (c *Shared) Do(ctx context.Context, share Share, h Host) (*SharedPart, error) {
	f := c.Request.Check
	f.Budget, f.Threads, f.All, f.Out, f.Bundle, f.Resume, f.loaded = 0, 1, true, "", false, false, &c.loaded
	h.Now = nil // parts take as long as they take
	if c.Fed {
		f.feed = func(ctx context.Context, s *subject, opt *check.Options, h Host) error {
			request := c.Request
			request.begin = share.Begin
			return request.prepare(ctx, new(Fuzzed), s, opt, h)
		}
	}
	s, opt, err := f.ready(ctx, h)
	if err != nil {
		return nil, err
	}
	opt.Mode, opt.Walk.Walks = check.ModeWalk, share.Until
	if share.Search {
		opt.Mode, opt.Search.Events = check.ModeSearch, share.Events
	}
	opt.Stop = func() bool { return ctx.Err() != nil }
	opt.Interrupted = opt.Stop
	defer h.exploring(opt.Meter, func(*Progress) {})()
	report, err := check.RunPart(s.base, opt, share.Part)
	if ctx.Err() != nil {
		return nil, &Unfinished{}
	}
	if err != nil {
		return nil, err
	}
	return s.sharedPart(ctx, share, report, opt, h)
}

func (s *subject) sharedPart(ctx context.Context, share Share, r *check.Report, opt check.Options, h Host) (*SharedPart, error) {
	p := &SharedPart{Findings: r.Findings, Stats: r.Stats, Corpus: r.Corpus}
	if len(share.Known) > 0 {
		p.LeftOut = doubtful(r)
	} else {
		p.Findings = append(p.Findings, r.Doubted...)
	}
	if share.Search && r.Search != nil {
		p.Complete = r.Search.Complete
		if p.Complete && !r.Complete {
			p.LeftOut = append(p.LeftOut, unseenStates)
		}
		if !p.Complete {
			var err error
			if p.Pieces, err = check.Pieces(s.base, opt.Search, share.Piece); err != nil {
				return nil, err
			}
		}
	}
	for _, m := range s.missed() {
		if m.always {
			p.LeftOut = append(p.LeftOut, m.what)
		} else {
			p.Idle = append(p.Idle, m.what)
		}
	}
	if s.fed {
		p.LeftOut = append(p.LeftOut, someInputs)
	}
	if len(share.Known) == 0 {
		return p, nil
	}
	told, err := s.describe(ctx, r.Findings, h)
	if err != nil {
		return nil, err
	}
	for i, t := range told {
		p.Told, p.Stories = append(p.Told, t.Found), append(p.Stories, t.Story)
		p.Recipes = append(p.Recipes, s.recipeOf(r.Findings[i], t.hash))
	}
	return p, nil
}

// Reads lists the files that a job reads which is about a firmware file or a scenario. With anything, serial input may have bytes that are not known.
func (f World) Reads(name string, anything bool, h Host) (files []string, err error) {
	if anything {
		f.SerialInput.unknown = new([]scenario.Symbolic)
	}
	rec, _, _, err := f.Make(name, h.quiet())
	if err != nil {
		return nil, err
	}
	for _, m := range rec.Motes {
		if file := FoundBeside(rec, m.Firmware); !strings.HasPrefix(file, ExamplePrefix) && !slices.Contains(files, file) {
			files = append(files, file)
		}
	}
	for _, s := range rec.Scenario {
		if !strings.HasPrefix(s.Name, "@") {
			files = append(files, s.Name)
		}
	}
	for _, text := range f.SerialIn {
		if file, ok := strings.CutPrefix(text, "@"); ok {
			files = append(files, file)
		}
	}
	return files, nil
}
