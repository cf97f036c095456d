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

// Result merges what was done so far. The recipes are of the findings, in the order of the document.
func (l *Ledger) Result() (*document.Campaign, []*recipe.Recipe) {
	d := &document.Campaign{Campaign: l.id, Title: l.c.Title, Version: l.c.Version, Items: l.items, LeftOut: []string{}, Failed: []document.FailedItem{}}
	all := &verdict.Case{Complete: true}
	var recipes []*recipe.Recipe
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
			recipes = append(recipes, p.Recipes...)
		}
		for _, id := range slices.Sorted(maps.Keys(s.sum.failed)) {
			d.Failed = append(d.Failed, document.FailedItem{Item: id, Why: s.sum.failed[id]})
		}
	}
	d.Verdict, d.LeftOut = all.Verdict(), document.List(all.LeftOut)
	return d, recipes
}

// document is what a strand gave.
func (s *strand) document() document.CampaignStrand {
	x := document.CampaignStrand{Job: s.Job, Label: s.Label, Document: s.doc}
	if !s.split() {
		var judged struct {
			Verdict verdict.Verdict `json:"verdict"`
			LeftOut []string        `json:"left_out"`
		}
		if json.Unmarshal(s.doc, &judged) == nil {
			x.Verdict, x.LeftOut = judged.Verdict, judged.LeftOut
		}
		if len(s.sum.failed) > 0 {
			x.LeftOut = append(x.LeftOut, itemsFailed)
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
