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
		err := validate([]Silence{c.silence})
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
		if got := c.silence.covers(&Finding{Kind: "memory: bounds", PC: at.Addr, Accessed: "QueueP__0__size"}, im); got != c.want {
			t.Errorf("%+v covers it: %v", c.silence, got)
		}
	}
}

// TestByMote works things out once for each kind of motes.
func TestByMote(t *testing.T) {
	a, b := new(mote.Kind), new(mote.Kind)
	made := 0
	got, err := ByMote([]*mote.Kind{a, b, a, b}, func(k *mote.Kind) (*mote.Kind, error) { made++; return k, nil })
	if err != nil || made != 2 || !slices.Equal(got, []*mote.Kind{a, b, a, b}) {
		t.Errorf("%d made, %v, %v", made, got, err)
	}
	if _, err := ByMote([]*mote.Kind{a}, func(*mote.Kind) (int, error) { return 0, errors.New("no") }); err == nil {
		t.Error("something that cannot be worked out is")
	}
}
