package job_test

import (
	"encoding/json"
	"slices"
	"testing"

	"motehound/job"
	"motehound/job/document"
)

// Pieces have the outcomes and findings of the whole, each once.
func TestSymbolicParts(t *testing.T) {
	t.Parallel()
	short := job.UsualTime / 10
	typed := job.NewSymbolic("example:novolatile")
	typed.Board, typed.SerialIn, typed.Time = "uno", []string{"any:4"}, &short
	lossy := job.NewSymbolic("../examples/tinytcp/loss.star")
	for name, c := range map[string]struct {
		request  job.Symbolic
		steps    uint64
		outcomes int
	}{"inputs": {typed, 1000, 16}, "faults": {lossy, 500_000, 12}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := c.request
			f.Budget = 0
			whole, err := f.Do(t.Context(), job.Host{})
			if err != nil {
				t.Fatal(err)
			}
			list := pieces(t, f, c.steps, nil)
			if len(list) < 3 {
				t.Fatalf("%d pieces", len(list))
			}
			slices.Reverse(list)
			doc, bundles, err := (&job.SymbolicParts{Request: f}).Together(t.Context(), list, job.Host{})
			if err != nil {
				t.Fatal(err)
			}
			got, want := doc.(*document.Symbolic), whole.Document
			if len(bundles) != len(got.Findings) || len(want.Outcomes) != c.outcomes {
				t.Errorf("%d bundles, %d findings, %d outcomes", len(bundles), len(got.Findings), len(want.Outcomes))
			}
			if a, b := gist(got), gist(want); !slices.Equal(a, b) {
				t.Errorf("in pieces:\n%q\nwhole:\n%q", a, b)
			}
			if _, err := (&job.SymbolicParts{Request: f}).Part(t.Context(), job.PartOf{Piece: []int{99}, Events: c.steps}, job.Host{}); err == nil {
				t.Error("there is no such piece, and nobody says so")
			}
		})
	}
}

// pieces explores a piece and all that it is cut into.
func pieces(t *testing.T, f job.Symbolic, steps uint64, at []int) (list []json.RawMessage) {
	t.Helper()
	p, err := (&job.SymbolicParts{Request: f}).Part(t.Context(), job.PartOf{Piece: at, Events: steps}, job.Host{})
	if err != nil {
		t.Fatal(err)
	}
	if p.Pieces == 0 {
		return []json.RawMessage{p.Data}
	}
	for i := range p.Pieces {
		list = append(list, pieces(t, f, steps, append(slices.Clone(at), i))...)
	}
	return list
}

// gist is what does not depend on the order of pieces.
func gist(d *document.Symbolic) []string {
	list := []string{string(d.Verdict)}
	for _, o := range d.Outcomes {
		list = append(list, "outcome "+o.Hash)
	}
	for _, f := range d.Findings {
		list = append(list, f.Cause())
	}
	list = append(list, d.LeftOut...)
	slices.Sort(list)
	return list
}
