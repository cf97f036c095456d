package calltree

import "testing"

func TestSourceName(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		"f": "f", "f.isra.3": "f", "f.part.0.constprop.2": "f", "send.lto_priv.7": "send", ".part.1": ".part.1", "f.cold": "f",
	} {
		if got := sourceName(raw); got != want {
			t.Errorf("%s is %s, want %s", raw, got, want)
		}
	}
}
