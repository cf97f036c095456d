package findings

import (
	"slices"
	"testing"
)

// The life cycle, case by case.
func TestNext(t *testing.T) {
	base := Finding{Key: "k", Subject: "app.elf", Engines: []string{"check"}, First: Sight{Hunt: 1, Firmware: "a"}, Last: Sight{Hunt: 1, Firmware: "a", Spent: 500}, State: New, Recipe: "old.json"}
	stored := func(s State) *Finding {
		f := base
		f.State = s
		if s == Dismissed {
			f.Reason = "known"
		}
		if s == Fixed {
			f.Gone = &Sight{Hunt: 2}
		}
		return &f
	}
	seen := &Finding{Key: "k", Subject: "app.elf", Engines: []string{"fuzz"}, Last: Sight{Spent: 70}, Line: 9}
	hunt := func(of func(*Hunt)) *Hunt {
		h := &Hunt{Number: 3, Subject: "app.elf", Firmware: "b", Ended: true, Spent: 500, Engines: []string{"check", "mine"}}
		if of != nil {
			of(h)
		}
		return h
	}
	for _, c := range []struct {
		name   string
		stored *Finding
		hunt   *Hunt
		e      Evidence
		want   State // "" for nothing known
	}{
		{"nothing known, nothing seen", nil, hunt(nil), Evidence{}, ""},
		{"seen for the first time", nil, hunt(nil), Evidence{Seen: seen}, New},
		{"seen again", stored(New), hunt(nil), Evidence{Seen: seen}, Confirmed},
		{"and again", stored(Confirmed), hunt(nil), Evidence{Seen: seen}, Confirmed},
		{"by another engine of the same hunt", stored(New), hunt(func(h *Hunt) { h.Number = 1 }), Evidence{Seen: seen}, New},
		{"came back, by another engine of the same hunt", stored(CameBack), hunt(func(h *Hunt) { h.Number = 1 }), Evidence{Seen: seen}, CameBack},
		{"fixed and seen", stored(Fixed), hunt(nil), Evidence{Seen: seen}, CameBack},
		{"came back and is seen again", stored(CameBack), hunt(nil), Evidence{Seen: seen}, Confirmed},
		{"dismissed and seen", stored(Dismissed), hunt(nil), Evidence{Seen: seen}, Dismissed},
		{"dismissed and not seen", stored(Dismissed), hunt(nil), Evidence{}, Dismissed},
		{"fixed and not seen", stored(Fixed), hunt(nil), Evidence{}, Fixed},
		{"new and gone", stored(New), hunt(nil), Evidence{}, Fixed},
		{"confirmed and gone", stored(Confirmed), hunt(nil), Evidence{}, Fixed},
		{"came back and gone", stored(CameBack), hunt(nil), Evidence{}, Fixed},
		{"the same firmware", stored(New), hunt(func(h *Hunt) { h.Firmware = "a" }), Evidence{}, New},
		{"the same firmware, its recipe shows nothing", stored(New), hunt(func(h *Hunt) { h.Firmware = "a" }), Evidence{Gone: true}, New},
		{"another subject", stored(New), hunt(func(h *Hunt) { h.Subject = "b.elf" }), Evidence{Gone: true}, New},
		{"a shorter hunt", stored(New), hunt(func(h *Hunt) { h.Spent = 499 }), Evidence{}, New},
		{"a shorter hunt, and its recipe shows nothing", stored(New), hunt(func(h *Hunt) { h.Spent = 499 }), Evidence{Gone: true}, Fixed},
		{"an interrupted hunt", stored(New), hunt(func(h *Hunt) { h.Ended = false }), Evidence{}, New},
		{"an interrupted hunt that tried its recipe", stored(New), hunt(func(h *Hunt) { h.Ended = false }), Evidence{Gone: true}, Fixed},
		{"without the engine that saw it", stored(Confirmed), hunt(func(h *Hunt) { h.Engines = []string{"mine"} }), Evidence{}, Confirmed},
	} {
		got := Next(c.stored, c.hunt, c.e)
		switch {
		case got == nil && c.want == "":
			continue
		case got == nil || got.State != c.want:
			t.Errorf("%s: %+v, want %s", c.name, got, c.want)
			continue
		}
		if (got.State == Fixed) != (got.Gone != nil) {
			t.Errorf("%s: it is %s, and gone since %+v", c.name, got.State, got.Gone)
		}
		if got.State == Dismissed && got.Reason != "known" {
			t.Errorf("%s: the reason is %q", c.name, got.Reason)
		}
		if c.e.Seen == nil {
			continue
		}
		if got.Line != 9 || got.Last.Hunt != c.hunt.Number || c.stored != nil && got.First != c.stored.First || c.stored == nil && got.First != got.Last {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
	if f := Next(stored(New), hunt(func(h *Hunt) { h.Number = 1 }), Evidence{Seen: seen}); !slices.Equal(f.Engines, []string{"check", "fuzz"}) || f.Recipe != "old.json" || f.Last.Spent != 70 {
		t.Errorf("two engines of one hunt: %+v", f)
	}
	if f := Next(stored(New), hunt(nil), Evidence{Seen: seen}); !slices.Equal(f.Engines, []string{"fuzz"}) || f.Recipe != "" {
		t.Errorf("a later hunt replaces what is known: %+v", f)
	}
}

// A dismissal needs a reason, and can be taken back.
func TestDismiss(t *testing.T) {
	f := &Finding{Key: "k", State: New}
	if _, err := f.Dismiss(""); err == nil {
		t.Error("dismissed without a reason")
	}
	if _, err := f.Reopen(); err == nil {
		t.Error("reopened what is open")
	}
	d, err := f.Dismiss("a test build")
	if err != nil || d.State != Dismissed || d.Reason != "a test build" || f.State != New {
		t.Fatal(d, err)
	}
	if r, err := d.Reopen(); err != nil || r.State != Confirmed || r.Reason != "" {
		t.Error(r, err)
	}
}
