package scenario

import (
	"strings"
	"testing"
)

const parametric = `
period = param("period", 20)
network(motes = [mote(board = "micaz", firmware = param("firmware", "old.elf"), vars = {"period": period, "on": param("on", False)})] * 2,
        links = full(2, loss = param("loss", 0.0)))
`

// A parameter has its default, or the value that was given, which is of the default's type.
func TestParam(t *testing.T) {
	s, err := LoadFS(tree(parametric), "a.star", Options{})
	if err != nil {
		t.Fatal(err)
	}
	if m := s.Motes[1]; m.Firmware != "old.elf" || m.Vars[0].Value != 0 || m.Vars[1].Value != 20 || s.Links[0].Loss != 0 || s.Params != nil {
		t.Errorf("defaults: %+v, links %+v", m, s.Links)
	}
	given := []Param{{"loss", "0.25"}, {"firmware", "new.elf"}, {"period", "0x28"}, {"on", "True"}}
	if s, err = LoadFS(tree(parametric), "a.star", Options{Params: given}); err != nil {
		t.Fatal(err)
	}
	if m := s.Motes[0]; m.Firmware != "new.elf" || m.Vars[0].Value != 1 || m.Vars[1].Value != 40 || s.Links[0].Loss != 0.25 {
		t.Errorf("given: %+v, links %+v", m, s.Links)
	}
	r, err := s.Recipe()
	if err != nil || len(r.Params) != 4 || r.Params[2].Name != "period" || r.Params[2].Value != "0x28" {
		t.Errorf("the recipe has %v: %v", r.Params, err)
	}
}

// Values that do not fit are refused, with the place.
func TestParamRefused(t *testing.T) {
	for _, c := range []struct {
		text  string
		given Param
		want  string
	}{
		{parametric, Param{"period", "fast"}, `a.star:2:15: param "period" is given as "fast", but must be a whole number, as its default 20 is`},
		{parametric, Param{"period", ""}, "whole number"},
		{parametric, Param{"loss", "NaN"}, "a number"},
		{parametric, Param{"on", "maybe"}, "True or False"},
		{parametric, Param{"nope", "1"}, "there is no parameter nope: there are period, firmware, on, loss"},
		{`network(motes = [mote(board = "micaz", firmware = "a.elf")])`, Param{"nope", "1"}, "nor any other"},
		{`param("x", [1])`, Param{}, "the default is a list"},
		{`param("x")`, Param{}, "missing argument"},
	} {
		var opt Options
		if c.given != (Param{}) {
			opt.Params = []Param{c.given}
		}
		if _, err := LoadFS(tree(c.text), "a.star", opt); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %s", c.given, err, c.want)
		}
	}
}
