package findings

import "testing"

// One cause has one key in every build; two causes have two.
func TestKey(t *testing.T) {
	base := Cause{Race, "race: lost update of count", "main", "count", "src/app.c"}
	for _, c := range []struct {
		name string
		of   func(*Cause)
		same bool
	}{
		{"nothing changes", func(c *Cause) {}, true},
		{"another folder", func(c *Cause) { c.File = `..\build\app.c` }, true},
		{"a copy of the function", func(c *Cause) { c.Function = "main.constprop.2" }, true},
		{"another way in which the race shows", func(c *Cause) { c.Property = "race: torn read of count" }, true},
		{"another grade", func(c *Cause) { c.Grade = Violation }, false},
		{"another function", func(c *Cause) { c.Function = "__vector_5" }, false},
		{"another variable", func(c *Cause) { c.Variable = "total" }, false},
		{"another file", func(c *Cause) { c.File = "lib.c" }, false},
		{"a part of a name moves to the next one", func(c *Cause) { c.Function, c.Variable = "mainc", "ount" }, false},
	} {
		x := base
		c.of(&x)
		if got := x.Key() == base.Key(); got != c.same {
			t.Errorf("%s: the same key: %v, want %v", c.name, got, c.same)
		}
	}
	a, b := Cause{Grade: Violation, Property: "x[1] is small", Function: "f"}, Cause{Grade: Violation, Property: "x[2] is small", Function: "f"}
	if a.Key() != b.Key() || len(a.Key()) != 16 {
		t.Errorf("%s and %s", a.Key(), b.Key())
	}
}
