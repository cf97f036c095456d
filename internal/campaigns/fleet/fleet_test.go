package main

import "testing"

// No item is lost or counted twice, whoever dies.
func TestFleet(t *testing.T) {
	t.Parallel()
	for seed := range uint64(5) {
		f := fleet{workers: 50, cost: 3, life: 13}
		if err := f.run(2000, 2, seed); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
		if f.died == 0 || f.twice == 0 {
			t.Errorf("seed %d: %d workers died, %d results came twice: nothing was tried", seed, f.died, f.twice)
		}
	}
}
