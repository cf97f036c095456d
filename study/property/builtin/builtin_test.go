package builtin

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"motehound/examples"
	"motehound/firmware/image"
	"motehound/mote"
)

// TestNames has the ways in which a check can be named.
func TestNames(t *testing.T) {
	for _, c := range []struct {
		check string
		want  bool
	}{
		{"", true}, {"memory: bounds", true}, {"memory", true}, {"bounds", true}, {"kernel", false}, {"null", false}, {"memory: null", false}, {"mem", false},
	} {
		if got := (Silence{Check: c.check}).Names("memory: bounds"); got != c.want {
			t.Errorf("%q names memory: bounds: %v", c.check, got)
		}
	}
}

func TestValidate(t *testing.T) {
	for _, c := range []struct {
		silence Silence
		want    string
	}{
		{Silence{Check: "bounds", Reason: "known"}, ""},
		{Silence{Subject: "x", Reason: "known"}, ""},
		{Silence{Reason: "known"}, "it would hide everything"},
		{Silence{Check: "memory: bounds", Function: "f", Subject: "x"}, "the silence for memory: bounds f x gives no reason"},
	} {
		err := Validate([]Silence{c.silence})
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v", c.silence, err)
		}
	}
}

// TestCovers silences findings in an example, by function and by what they are about.
func TestCovers(t *testing.T) {
	f, ok := examples.Find("counter", "micaz")
	if !ok {
		t.Fatal("no example")
	}
	im, err := image.Parse(f.Name, f.ELF())
	if err != nil {
		t.Fatal(err)
	}
	at, ok := im.Symbol("main")
	if !ok {
		t.Fatal("no main")
	}
	places := Places(im, at.Addr)
	if last := places[len(places)-1]; last.Function != "main" || last.File == "" || last.Line == 0 {
		t.Errorf("places %v", places)
	}
	if got := Places(im, 0xFFFFF); len(got) != 1 || got[0].String() != "code without a name" {
		t.Errorf("places of nothing %v", got)
	}
	for _, c := range []struct {
		silence Silence
		want    bool
	}{
		{Silence{Function: "main"}, true},
		{Silence{Function: "other"}, false},
		{Silence{Subject: "QueueP__0__size"}, true},
		{Silence{Subject: "QueueP[0].size"}, true},
		{Silence{Subject: "size"}, false},
		{Silence{Check: "kernel", Function: "main"}, false},
		{Silence{Check: "bounds", Function: "main", Subject: "QueueP[0].size"}, true},
		{Silence{Check: "bounds", Function: "other", Subject: "QueueP[0].size"}, false},
	} {
		if got := c.silence.Covers("memory: bounds", im, at.Addr, "", "QueueP__0__size"); got != c.want {
			t.Errorf("%+v covers it: %v", c.silence, got)
		}
	}
}

type table struct{ kind *mote.Kind }

func (t table) Kind() *mote.Kind { return t.kind }

// TestTableOf makes each table once, and leaves lists alone that others have.
func TestTableOf(t *testing.T) {
	a, b := new(mote.Kind), new(mote.Kind)
	made := 0
	find := func(k *mote.Kind, list *[]table) table {
		x, err := TableOf(k, list, func(k *mote.Kind) (table, error) { made++; return table{k}, nil })
		if err != nil || x.kind != k {
			t.Errorf("%v %v", x, err)
		}
		return x
	}
	list := make([]table, 0, 10)
	theirs := list[:1]
	find(a, &list)
	find(a, &list)
	find(b, &list)
	if made != 2 || len(list) != 2 || slices.ContainsFunc(theirs, func(x table) bool { return x.kind != nil }) {
		t.Errorf("%d made, %v", made, theirs)
	}
	if _, err := TableOf(new(mote.Kind), &list, func(*mote.Kind) (table, error) { return table{}, errors.New("no") }); err == nil || len(list) != 2 {
		t.Errorf("a table that cannot be made: %v, %d", err, len(list))
	}
}
