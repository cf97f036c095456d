package findings

import (
	"strings"
	"testing"
)

// Only what is new fails.
func TestFresh(t *testing.T) {
	one := func(key string, g Grade, s State) Finding {
		return Finding{Key: key, Function: key, Grade: g, State: s}
	}
	now := []Finding{one("a", Violation, New), one("b", Race, Confirmed), one("c", Symptom, New), one("d", Violation, Dismissed), one("e", Violation, CameBack), one("f", Difference, New),
		one("g", Race, Fixed), one("h", Race, New)}
	for _, c := range []struct {
		name     string
		baseline []Finding
		want     string
	}{
		{"no baseline", nil, "a b e h"},
		{"one is known", []Finding{one("a", Violation, Confirmed)}, "b e h"},
		{"known, and dismissed there", []Finding{one("a", Violation, Dismissed), one("b", Race, New)}, "e h"},
		{"fixed in the baseline, and back", []Finding{one("e", Violation, Fixed)}, "a b e h"},
		{"fixed in one firmware of the baseline, open in another", []Finding{one("e", Violation, Fixed), one("e", Violation, New), one("e", Violation, Fixed)}, "a b h"},
	} {
		if got := strings.Join(keys(Fresh(now, c.baseline)), " "); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestReadBaseline(t *testing.T) {
	if list, err := ReadBaseline([]byte(`{"schema_version": 2, "findings": [{"key": "a", "state": "new", "later": 1}]}`)); err != nil || len(list) != 1 || list[0].State != New {
		t.Error(list, err)
	}
	if list, err := ReadBaseline([]byte(`{"findings": []}`)); err != nil || len(list) != 0 {
		t.Error(list, err)
	}
	for _, bad := range []string{"", "{}", `{"findings": [{"title": "x"}]}`, `[]`} {
		if _, err := ReadBaseline([]byte(bad)); err == nil || !strings.Contains(err.Error(), "findings export") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}
