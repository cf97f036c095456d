package document

import "slices"

// End is one way in which outcomes end.
type End struct {
	Violates []string `json:"violates"`
	RunAgain bool     `json:"run_again"` // without that, what they violate is not known
	Count    int      `json:"count"`
	Outcomes []int    `json:"outcomes"` // their numbers in the list, from 1
}

// EndsOf puts outcomes together that end alike: the rarest end, which says most, comes first.
func EndsOf(list []*SymbolicOutcome) []*End {
	ends := []*End{}
	for n, s := range list {
		violates, again := slices.Sorted(slices.Values(s.Violates)), s.Hash != ""
		i := slices.IndexFunc(ends, func(e *End) bool { return e.RunAgain == again && slices.Equal(e.Violates, violates) })
		if i < 0 {
			i = len(ends)
			ends = append(ends, &End{Violates: List(violates), RunAgain: again})
		}
		ends[i].Outcomes = append(ends[i].Outcomes, n+1)
		ends[i].Count++
	}
	slices.SortStableFunc(ends, func(a, b *End) int { return a.Count - b.Count })
	return ends
}
