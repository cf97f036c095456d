package bus

import (
	"slices"
	"testing"
)

// Two items of a batch kill whoever does them. The others are done before they have been given out too often.
func TestRiskiest(t *testing.T) {
	t.Parallel()
	var left []*task
	for n := range 64 {
		x := new(task)
		x.Item.Number = n
		left = append(left, x)
	}
	kills := func(x *task) bool { return x.Item.Number == 3 || x.Item.Number == 17 }
	for times := 1; times <= mostTimes; times++ {
		for _, x := range left {
			x.times = times
		}
		slices.SortFunc(left, riskiest)
		left = left[slices.IndexFunc(left, kills):]
	}
	if slices.ContainsFunc(left, func(x *task) bool { return !kills(x) }) {
		t.Errorf("%d items are left, and two of them kill", len(left))
	}
}
