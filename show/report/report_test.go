package report

import (
	"slices"
	"testing"

	"motehound/observe/outputs"
)

// A column is lit when it was so for at least half of its time, and half-toned when the light changed twice in it.
func TestChart(t *testing.T) {
	for _, c := range []struct {
		name    string
		changes []outputs.LEDChange
		want    []string
	}{
		{"dark", nil, []string{"··········", "··········"}},
		{"on and off", []outputs.LEDChange{{At: 20, On: true}, {At: 50}}, []string{"··███·····", "··········"}},
		{"the second", []outputs.LEDChange{{At: 0, LED: 1, On: true}, {At: 5, LED: 0, On: true}, {At: 95, LED: 1}},
			[]string{"██████████", "██████████"}},
		{"in the middle", []outputs.LEDChange{{At: 14, On: true}, {At: 36}}, []string{"·███······", "··········"}},
		{"fast", []outputs.LEDChange{{At: 31, On: true}, {At: 33}, {At: 35, On: true}}, []string{"···▒██████", "··········"}},
	} {
		if got := Chart(c.changes, 2, 100, 10); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}
