package text

import (
	"strings"
	"testing"
)

// Nobody is told to search longer in less time than the search took.
func TestLonger(t *testing.T) {
	for seconds, want := range map[float64]string{5: "--budget 10m.", 300: "--budget 10m.", 600: "--budget 100m.", 7200: "--budget 1200m."} {
		var b strings.Builder
		if longer(&b, seconds); !strings.Contains(b.String(), want) {
			t.Errorf("after %g s: %q, want %q", seconds, b.String(), want)
		}
	}
}
