package campaign

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"motehound/job/document"
	"motehound/study/verdict"
	"motehound/world/recipe"
)

// Found is what findings are replayed with, in the order of the document.
type Found struct {
	Recipes []*recipe.Recipe
	Bundles [][]byte // of parted jobs
}

// Result merges what was done so far.
func (l *Ledger) Result() (*document.Campaign, *Found) {
	d := &document.Campaign{Campaign: l.id, Title: l.c.Title, Version: l.c.Version, Items: l.items, LeftOut: []string{}, Failed: []document.FailedItem{}}
	all := &verdict.Case{Complete: true}
	found := new(Found)
	for _, s := range l.strands {
		x := s.document()
		if !s.over {
			x.LeftOut = append(x.LeftOut, fmt.Sprintf("%d items that are not done", s.left))
			if x.Verdict != verdict.Violated {
				x.Verdict = verdict.Unknown
			}
		}
		d.Strands = append(d.Strands, x)
		if x.Verdict == verdict.Violated {
			all.Findings++
		}
		all.Complete = all.Complete && x.Verdict == verdict.Holds
		all.Miss(x.LeftOut...)
		if p := s.sum.explained; p != nil {
			found.Recipes = append(found.Recipes, p.Recipes...)
		}
		found.Bundles = append(found.Bundles, s.bundles...)
		for _, id := range slices.Sorted(maps.Keys(s.sum.failed)) {
			d.Failed = append(d.Failed, document.FailedItem{Item: id, Why: s.sum.failed[id]})
		}
	}
	d.Verdict, d.LeftOut = all.Verdict(), document.List(all.LeftOut)
	return d, found
}

// document is what a strand gave.
func (s *strand) document() document.CampaignStrand {
	x := document.CampaignStrand{Job: s.Job, Label: s.Label, Document: s.doc}
	if !s.split() || s.parted() {
		x.Verdict, x.LeftOut = judged(s.doc)
		if len(s.sum.failed) > 0 {
			x.LeftOut = append(x.LeftOut, itemsFailed)
			if x.Verdict == verdict.Holds {
				x.Verdict = verdict.Unknown
			}
		}
		return x
	}
	c := s.sum.judge(s.Items > 0)
	x.Verdict, x.LeftOut, x.Inputs = c.Verdict(), c.LeftOut, s.sum.stats.Inputs
	x.Explored = &document.Explored{Events: s.sum.stats.Events, States: s.sum.stats.States, Walks: s.sum.stats.Walks}
	if p := s.sum.explained; p != nil {
		x.Findings = p.Told
		for i := range min(len(p.Told), len(p.Stories)) {
			x.Findings[i].Story = p.Stories[i]
		}
	}
	return x
}

// judged is the verdict of a document, or of its rankings together.
func judged(doc json.RawMessage) (v verdict.Verdict, leftOut []string) {
	type one struct {
		Verdict verdict.Verdict `json:"verdict"`
		LeftOut []string        `json:"left_out"`
	}
	var d struct {
		one
		Rankings []one `json:"rankings"`
	}
	if json.Unmarshal(doc, &d) != nil {
		return "", nil
	}
	v, leftOut = d.Verdict, d.LeftOut
	for _, r := range d.Rankings {
		if v != verdict.Violated {
			v = r.Verdict
		}
		for _, what := range r.LeftOut {
			if !slices.Contains(leftOut, what) {
				leftOut = append(leftOut, what)
			}
		}
	}
	return v, leftOut
}
