package hunt

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"motehound/job"
	"motehound/job/document"
)

// Trials that were made one by one find what a hunt finds, once for each cause.
func TestParts(t *testing.T) {
	t.Parallel()
	r := New("example:ring")
	short := time.Second
	r.Board, r.SerialIn, r.Time, r.Engines = "uno", []string{"hello"}, &short, []string{engineRun, engineCheck}
	c := &Parts{Request: r}
	n, err := c.Count(t.Context(), job.Host{})
	if err != nil || n != 2 {
		t.Fatalf("%d trials: %v", n, err)
	}
	var list []json.RawMessage
	found := 0
	for i := range 2 * n { // the second half with other seeds
		p, err := (&Parts{Request: r}).Part(t.Context(), job.PartOf{Number: i, Events: 2_000}, job.Host{})
		if err != nil {
			t.Fatal(err)
		}
		list, found = append(list, p.Data), found+len(p.Causes)
	}
	doc, bundles, err := c.Together(t.Context(), list, job.Host{})
	if err != nil {
		t.Fatal(err)
	}
	got := doc.(*document.Hunted)
	for _, bad := range []string{`{}`, `{"trials":[{}],"hints":[{}]}`, `[]`} {
		if _, _, err := c.Together(t.Context(), append(list[:n:n], json.RawMessage(bad)), job.Host{}); err == nil {
			t.Errorf("%s is taken for a part", bad)
		}
	}
	r.Store, r.Budget, r.Total, r.Threads = filepath.Join(t.TempDir(), "store"), 0, uint64(n)*2_000, 1
	want, err := r.Do(t.Context(), job.Host{})
	if err != nil {
		t.Fatal(err)
	}
	keys := func(d *document.Hunted) (list []string) {
		for _, f := range d.Findings {
			list = append(list, f.Key)
		}
		slices.Sort(list)
		return list
	}
	if a, b := keys(got), keys(want); !slices.Equal(a, b) || len(a) == 0 || len(a) >= found {
		t.Errorf("found one by one %v, in one hunt %v, by all trials %d", a, b, found)
	}
	if len(bundles) != len(got.Findings) || bundles[0] == nil || len(got.Trials) != 2*n || got.Events == 0 {
		t.Errorf("%d bundles, %d trials, %d events", len(bundles), len(got.Trials), got.Events)
	}
}
