package hunt

import (
	"testing"

	"motehound/job/document"
	"motehound/job/findings"
	"motehound/world/recipe"
)

// A property of the scenario that only forged frames break is a symptom. What no program may do is a violation, whoever sends the frames, and bytes that come in
// from outside are no forgery.
func TestForgedFrames(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		property, kind string
		want           findings.Grade
	}{
		{"both agree", "air", findings.Symptom},
		{"both agree", "serial", findings.Violation},
		{"both agree", "", findings.Violation},
		{"memory: bounds", "air", findings.Violation},
		{"race: lost update of count", "air", findings.Race},
	} {
		f := &document.Found{Property: c.property, Function: "main", Counts: true}
		if c.kind != "" {
			f.Made = []recipe.MadeInput{{Kind: c.kind}}
		}
		if s := exploredSight(f); s.Grade != c.want || s.weak != (c.want == findings.Symptom) {
			t.Errorf("%s by %q: %s, want %s (%s)", c.property, c.kind, s.Grade, c.want, s.Why)
		}
	}
}
