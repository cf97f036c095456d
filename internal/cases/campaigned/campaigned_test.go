package campaigned

import (
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
)

// What was done is not done again, and results come in the order of the runs.
func TestDo(t *testing.T) {
	t.Parallel()
	var done atomic.Int32
	double := func(n int) (int, error) {
		done.Add(1)
		return 2 * n, nil
	}
	o := &Options{keep: t.TempDir(), workers: 2}
	for range 2 {
		got, err := Do(o, "doubles", []int{3, 1, 2}, double)
		if err != nil || !slices.Equal(got, []int{6, 2, 4}) {
			t.Errorf("%v, %v", got, err)
		}
	}
	if done.Load() != 3 {
		t.Errorf("%d runs were made of 3", done.Load())
	}
	_, err := Do(o, "failures", []int{1}, func(int) (int, error) { return 0, errors.New("it is cold") })
	if err == nil || !strings.Contains(err.Error(), "it is cold") {
		t.Errorf("a run that fails: %v", err)
	}
}
