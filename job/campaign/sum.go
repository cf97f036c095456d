package campaign

import (
	"cmp"
	"maps"
	"slices"

	"motehound/job"
	"motehound/study/check"
	"motehound/study/finding"
	"motehound/study/verdict"
)

// sum is what the parts of a strand gave together. Adding does not depend on the order.
type sum struct {
	stats      check.Stats
	best       map[finding.Cause]*check.Finding
	always     map[string]bool // left out by some part, and so by all
	idle       map[string]int  // how many parts have missed it
	parts      int
	searched   int // parts of the search
	unfinished int // parts of the search that are not complete
	lists      map[string][]check.MadeInput
	begin      string // the hash of the corpus with which the epoch began
	failed     map[string]string
	explained  *job.SharedPart
	portions   []portion
	causes     map[string]bool // that portions have found
}

func newSum() sum {
	return sum{best: make(map[finding.Cause]*check.Finding), always: make(map[string]bool), idle: make(map[string]int),
		lists: make(map[string][]check.MadeInput), failed: make(map[string]string), causes: make(map[string]bool)}
}

// add adds a part.
func (s *sum) add(i *Item, p *job.SharedPart) {
	s.parts++
	x := &p.Stats
	s.stats.Events += x.Events
	s.stats.States += x.States
	s.stats.Walks += x.Walks
	s.stats.Slept += x.Slept
	s.stats.Matched += x.Matched
	s.stats.Inputs += x.Inputs
	s.stats.News += x.News
	s.stats.Depth = max(s.stats.Depth, x.Depth)
	for _, f := range p.Findings {
		s.best[f.Cause()] = check.Better(s.best[f.Cause()], f)
	}
	for _, what := range p.LeftOut {
		s.always[what] = true
	}
	for _, what := range p.Idle {
		s.idle[what]++
	}
	if i.Share.Search {
		s.searched++
		if !p.Complete && p.Pieces == 0 {
			s.unfinished++
		}
	}
	for _, list := range p.Corpus {
		s.lists[check.NameOfList(list)] = list
	}
}

// findings are what was found, the best trace of each cause.
func (s *sum) findings() []*check.Finding {
	return check.List(slices.Collect(maps.Values(s.best)))
}

// mostLists bounds the corpus that an epoch begins with.
const mostLists = 2000

// corpus is the inputs that are worth trying, short lists first.
func (s *sum) corpus() (lists [][]check.MadeInput) {
	names := slices.SortedFunc(maps.Keys(s.lists), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
	})
	for _, name := range names[:min(len(names), mostLists)] {
		lists = append(lists, s.lists[name])
	}
	return lists
}

// judge is what the verdict can rest on.
func (s *sum) judge(walks bool) *verdict.Case {
	c := &verdict.Case{Complete: s.searched > 0 && s.unfinished == 0 && !walks}
	if s.explained != nil {
		for _, f := range s.explained.Findings {
			if f.Counts() {
				c.Findings++
			}
		}
		c.Miss(s.explained.LeftOut...)
	} else if len(s.best) > 0 {
		c.Miss("what was found: it is not explained yet")
	}
	if walks && c.Findings == 0 {
		c.Miss("walks try some orders of events, not all")
	}
	if s.unfinished > 0 {
		c.Miss("some orders: parts of the search are not finished")
	}
	c.Miss(slices.Sorted(maps.Keys(s.always))...)
	for _, what := range slices.Sorted(maps.Keys(s.idle)) {
		if s.idle[what] == s.parts {
			c.Miss(what)
		}
	}
	if len(s.failed) > 0 {
		c.Miss(itemsFailed)
	}
	return c
}

const itemsFailed = "items that could not be done: see failed"
