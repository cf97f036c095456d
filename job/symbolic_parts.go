package job

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"slices"

	"motehound/job/document"
	"motehound/study/symbolic/engine"
	"motehound/study/symbolic/plan"
	"motehound/study/verdict"
)

// SymbolicParts is a Symbolic that is cut into pieces where it is too large: by what inputs and choices tell apart. See engine.Piece.
type SymbolicParts struct{ Request Symbolic }

// symbolicPart is what a piece gave.
type symbolicPart struct {
	Document *document.Symbolic `json:"document"`
	Idle     []string           `json:"idle,omitempty"` // left out, unless another piece has met it
	Bundles  [][]byte           `json:"bundles,omitempty"`
}

// Count implements Parts.
func (c *SymbolicParts) Count(context.Context, Host) (int, error) {
	if c.Request.MaxPaths > 0 || c.Request.Queries != "" {
		return 0, errors.New("a campaign has no --max-paths and no --queries: it explores everything, in pieces")
	}
	return 0, nil
}

// Part explores a piece, or says into how many it is to be cut.
func (c *SymbolicParts) Part(ctx context.Context, p PartOf, h Host) (*Portion, error) {
	dir, err := os.MkdirTemp("", "motehound-symbolic-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	f := c.Request
	f.Budget, f.Out, f.Bundle, f.Resume, f.Cover, f.piece = 0, dir, true, false, false, engine.Piece{Steps: p.Events, Path: p.Piece}
	got, err := f.Do(ctx, h)
	switch {
	case err != nil:
		return nil, err
	case ctx.Err() != nil:
		return nil, &Unfinished{}
	case got.pieces > 0:
		return &Portion{Pieces: got.pieces}, nil
	}
	part := symbolicPart{Document: got.Document, Idle: got.idle}
	var causes []string
	for _, x := range got.Document.Findings {
		data, err := os.ReadFile(x.Bundle)
		if err != nil {
			return nil, err
		}
		part.Bundles = append(part.Bundles, data)
		x.Recipe, x.Bundle = "", ""
		causes = append(causes, x.Cause())
	}
	return portionOf(part, causes...)
}

// Together makes one document of those of all pieces: findings once for each cause.
func (c *SymbolicParts) Together(_ context.Context, list []json.RawMessage, _ Host) (any, [][]byte, error) {
	var all *document.Symbolic
	var bundles [][]byte
	idle := map[string]int{}
	for _, data := range list {
		var p symbolicPart
		if err := json.Unmarshal(data, &p); err != nil {
			return nil, nil, err
		}
		if p.Document == nil || len(p.Bundles) != len(p.Document.Findings) {
			return nil, nil, errors.New("a piece has no document, or findings without recipes")
		}
		for _, what := range p.Idle {
			idle[what]++
		}
		p.Document.LeftOut = slices.DeleteFunc(p.Document.LeftOut, func(what string) bool {
			return slices.Contains(p.Idle, what) || what == plan.Unreached(p.Document.NeverMet)
		})
		if all == nil {
			all, bundles = p.Document, p.Bundles
			continue
		}
		bundles = all.Add(p.Document, bundles, p.Bundles)
	}
	for what, n := range idle {
		if n < len(list) {
			delete(idle, what)
		}
	}
	complete := all.Stopped == "" && len(all.Refuted) == 0
	if n := c.Request.Outcomes; len(all.Outcomes) > n {
		all.Outcomes, all.More = all.Outcomes[:n], true
	}
	for what := range idle {
		all.LeftOut = append(all.LeftOut, what)
	}
	if len(all.NeverMet) > 0 {
		all.LeftOut = append(all.LeftOut, plan.Unreached(all.NeverMet))
	}
	slices.Sort(all.LeftOut)
	all.Ends = document.EndsOf(all.Outcomes)
	judged := verdict.Case{Findings: len(all.Findings), Complete: complete && !all.More, LeftOut: all.LeftOut}
	all.Verdict = judged.Verdict()
	return all, bundles, nil
}
