package mining_test

import (
	"strings"
	"testing"

	"motehound/internal/cases"
	"motehound/study/mining"
	"motehound/study/outlier"
)

// What stands out is exactly what the firmware itself has counted as wrong: all of it, in the buggy builds, and nothing in the
// fixed ones, although those have intervals that are just as unusual.
func TestVerdict(t *testing.T) {
	for _, s := range cases.All {
		t.Run(s.Name, func(t *testing.T) {
			r, ranking := ranked(t, s)
			if ranking.Verdict != mining.StandsOut || ranking.StandOut != len(r.Wrong) {
				t.Errorf("%v: %d stand out, %d are wrong", ranking.Verdict, ranking.StandOut, len(r.Wrong))
			}
			for _, x := range ranking.Suspects {
				if x.StandsOut != r.Wrong[cases.KeyOf(x.Interval)] || x.StandsOut != (len(x.Lost) > 0) {
					t.Errorf("rank %d, [%d, %d, %d]: stands out is %v, wrong %v; lost %v", x.Rank, x.Run, x.Mote, x.Instance, x.StandsOut,
						r.Wrong[cases.KeyOf(x.Interval)], x.Lost)
				}
			}
		})
		t.Run(s.Fixed().Name, func(t *testing.T) {
			r, _ := ranked(t, s.Fixed())
			for _, d := range outlier.All() {
				ranking, err := r.Rank(s.Vector, d, 1)
				if err != nil {
					t.Fatal(err)
				}
				if v := ranking.Verdict; v != mining.NothingStandsOut && v != mining.NothingUnusual || v == mining.NothingUnusual != (ranking.Unusual == 0) {
					t.Errorf("%s: %v, %d unusual", d.Name(), ranking.Verdict, ranking.Unusual)
				}
				for _, x := range ranking.Suspects {
					if x.StandsOut {
						t.Errorf("%s: rank %d, [%d, %d, %d] stands out: lost %+v", d.Name(), x.Rank, x.Run, x.Mote, x.Instance, x.Lost)
					}
				}
			}
		})
	}
}

// The line that overwrites the packet, and the lost packet, are named.
func TestLost(t *testing.T) {
	for i, want := range []struct{ variable, wrote, over string }{
		{"PolluteC.packet", "pollute.c", "pollute.c"},
		{"CC2420ReceiveP.firstBuffer", "cc2420_receive.c", "cc2420_receive.c"},
		{"ForwarderP.message", "forwarder.c", ""},
	} {
		_, ranking := ranked(t, cases.All[i])
		found := false
		for _, l := range ranking.Suspects[0].Lost {
			found = found || strings.HasPrefix(l.Variable, want.variable) && strings.HasSuffix(l.Wrote.File, want.wrote) &&
				strings.HasSuffix(l.Over.File, want.over) && l.Never == (want.over == "") && l.Wrote.Line > 0 && l.Reads < l.Usual
		}
		if !found {
			t.Errorf("%s: lost %+v", cases.All[i].Name, ranking.Suspects[0].Lost)
		}
	}
}

// Nobody who has not watched the data may say that nothing stands out.
func TestVerdictUnwatched(t *testing.T) {
	fixed := cases.All[2].Fixed()
	r, _ := ranked(t, fixed)
	r.Losses = nil
	ranking, err := r.Rank(fixed.Vector, detector(), 1)
	if err != nil || ranking.Verdict != mining.Unknown {
		t.Errorf("%v, %v", ranking.Verdict, err)
	}
}
