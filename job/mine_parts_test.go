package job_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"motehound/job"
)

// Runs that were made one by one give the ranking that they give together.
func TestMineParts(t *testing.T) {
	t.Parallel()
	long := 10 * time.Second
	sweep := job.NewMine("example:pollute")
	sweep.Nodes, sweep.Time, sweep.Sweeps = 2, &long, []string{"PolluteC__period=20,60"}
	seeds := job.NewMine("example:drop")
	seeds.Nodes, seeds.Time, seeds.Runs, seeds.Pool = 3, &long, 3, job.PoolMote
	for name, f := range map[string]job.Mine{"sweep": sweep, "seeds": seeds} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			whole, err := f.Do(t.Context(), job.Host{})
			if err != nil {
				t.Fatal(err)
			}
			want, err := json.Marshal(whole.Document)
			if err != nil {
				t.Fatal(err)
			}
			n, err := (&job.MineParts{Request: f}).Count(t.Context(), job.Host{})
			if err != nil || n != len(whole.Runs) {
				t.Fatalf("%d runs, want %d: %v", n, len(whole.Runs), err)
			}
			list := make([]json.RawMessage, n)
			for i := n - 1; i >= 0; i-- {
				p, err := (&job.MineParts{Request: f}).Part(t.Context(), job.PartOf{Number: i}, job.Host{})
				if err != nil {
					t.Fatal(err)
				}
				list[i] = p.Data
			}
			doc, _, err := (&job.MineParts{Request: f}).Together(t.Context(), list, job.Host{})
			if err != nil {
				t.Fatal(err)
			}
			if got, err := json.Marshal(doc); err != nil || string(got) != string(want) {
				t.Errorf("by runs, %v:\n%s\ntogether:\n%s", err, got, want)
			}
			list[0] = json.RawMessage(strings.Replace(string(list[0]), `"builds":["`, `"builds":["AAAA`, 1))
			if _, _, err := (&job.MineParts{Request: f}).Together(t.Context(), list, job.Host{}); err == nil {
				t.Error("garbage was taken")
			}
		})
	}
}
