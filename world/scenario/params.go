package scenario

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"go.starlark.net/starlark"
)

// Param is a value for a parameter of a scenario, as text.
type Param struct{ Name, Value string }

// param is the value of a parameter: its default, or what Options.Params has instead, read as a value of the default's type.
func (r *request) param() (starlark.Value, error) {
	var name string
	var usual starlark.Value
	if err := r.unpack("name", &name, "default", &usual); err != nil {
		return nil, err
	}
	if !slices.Contains(r.asked, name) {
		r.asked = append(r.asked, name)
	}
	i := slices.IndexFunc(r.params, func(p Param) bool { return p.Name == name })
	text := ""
	if i >= 0 {
		text = r.params[i].Value
	}
	value, what := parseParam(text, usual)
	switch {
	case what == "":
		return nil, r.errorf("param %q: the default is a %s, but must be a number, a text, True or False", name, usual.Type())
	case i < 0:
		return usual, nil
	case value == nil:
		return nil, r.errorf("param %q is given as %q, but must be %s, as its default %s is", name, text, what, usual)
	}
	return value, nil
}

// parseParam reads a value of the type that another one has, and says what it should be. It is nil if the text is none, and there is
// nothing that it should be if a parameter cannot have such a type.
func parseParam(text string, like starlark.Value) (value starlark.Value, what string) {
	switch like.(type) {
	case starlark.Bool:
		if b, err := strconv.ParseBool(text); err == nil {
			value = starlark.Bool(b)
		}
		return value, "True or False"
	case starlark.Int:
		if n, err := strconv.ParseInt(text, 0, 64); err == nil {
			value = starlark.MakeInt64(n)
		}
		return value, "a whole number"
	case starlark.Float:
		if f, err := strconv.ParseFloat(text, 64); err == nil && !math.IsInf(f, 0) && !math.IsNaN(f) {
			value = starlark.Float(f)
		}
		return value, "a number"
	case starlark.String:
		return starlark.String(text), "a text"
	}
	return nil, ""
}

// unasked is an error if a value was given for a parameter that the scenario does not have.
func (b *builder) unasked() error {
	for _, p := range b.params {
		switch {
		case slices.Contains(b.asked, p.Name):
		case len(b.asked) == 0:
			return errorAt(Pos{File: b.sc.Name}, "there is no parameter %s, nor any other: declare it with param(%q, DEFAULT)", p.Name, p.Name)
		default:
			return errorAt(Pos{File: b.sc.Name}, "there is no parameter %s: there are %s", p.Name, strings.Join(b.asked, ", "))
		}
	}
	return nil
}
