package mining_test

import (
	"strings"
	"testing"

	"motehound/internal/cases"
	"motehound/study/mining"
	"motehound/study/outlier"
)

// detector is the default one.
func detector() outlier.Detector { return outlier.Default() }

// ranked gathers a study and ranks it with the default detector.
func ranked(t *testing.T, s cases.Study) (*cases.Result, *mining.Ranking) {
	t.Helper()
	r, err := s.Gather()
	if err != nil {
		t.Fatal(err)
	}
	ranking, err := r.Rank(s.Vector, detector(), 10)
	if err != nil {
		t.Fatal(err)
	}
	return r, ranking
}

// Case I: readings are written into a packet that still waits to be sent. Of about a thousand intervals in five runs with
// periods of 20 to 100 ms, those with the three lowest scores are pollutions, and the explanation names the source.
func TestPollute(t *testing.T) {
	r, ranking := ranked(t, cases.All[0])
	if n := len(ranking.Suspects); n < 1000 || len(r.Wrong) < 3 {
		t.Fatalf("%d intervals, %d of them polluted", n, len(r.Wrong))
	}
	for _, s := range ranking.Suspects[:3] {
		if !r.Wrong[cases.KeyOf(s.Interval)] {
			t.Errorf("rank %d is [%d, %d], which was not polluted", s.Rank, s.Run, s.Instance)
		}
		named := false
		for _, y := range s.Why {
			named = named || strings.HasSuffix(y.File, "pollute/pollute.c")
		}
		if !named {
			t.Errorf("rank %d: no line of pollute.c among %v", s.Rank, s.Why)
		}
	}
}

// Case II: a relay drops what comes while it is busy. All dropping intervals come before every other one.
func TestDrop(t *testing.T) {
	r, ranking := ranked(t, cases.All[1])
	if len(r.Wrong) < 3 {
		t.Fatalf("only %d drops", len(r.Wrong))
	}
	for _, s := range ranking.Suspects[:len(r.Wrong)] {
		if !r.Wrong[cases.KeyOf(s.Interval)] {
			t.Errorf("rank %d is instance %d, in which nothing was dropped", s.Rank, s.Instance)
		}
	}
}

// Case III: nine motes; a send that fails is never tried again. An interval with a failed send is among the first four.
func TestHang(t *testing.T) {
	r, ranking := ranked(t, cases.All[2])
	for _, s := range ranking.Suspects[:4] {
		if r.Wrong[cases.KeyOf(s.Interval)] {
			return
		}
	}
	t.Errorf("none of the first four intervals has one of the %d failed sends", len(r.Wrong))
}

// In the fixed builds nothing is wrong.
func TestFixedBuilds(t *testing.T) {
	for _, s := range cases.All {
		t.Run(s.Name, func(t *testing.T) {
			r, ranking := ranked(t, s.Fixed())
			if len(r.Wrong) != 0 || len(ranking.Suspects) == 0 {
				t.Errorf("%d of %d intervals are wrong", len(r.Wrong), len(ranking.Suspects))
			}
		})
	}
}
