package jsonfile

import (
	"errors"
	"testing"
)

func TestErrors(t *testing.T) {
	type doc struct {
		A int   `json:"a"`
		B []int `json:"b"`
	}
	for _, c := range []struct{ text, want string }{
		{`{"a": 1, "b": [2]}`, ""},
		{"{\"a\": 1,\n  \"b\": [}", `f:2:9: not it: invalid character '}' looking for beginning of value`},
		{"{\"a\":\n \"x\"}", `f:2:5: not it: json: cannot unmarshal string into Go struct field doc.a of type int`},
		{"{\n\"c\": 1}", `f:2:1: not it: json: unknown field "c"`},
		{"{\"a\": 1,\n", `f:2:1: not it: it is cut short`},
		{"", `f:1:1: not it: it is cut short`},
		{`{} {}`, `f:1:3: not it: there is more after the end`},
	} {
		got := ""
		if err := Decode("not it", []byte(c.text), new(doc)); err != nil {
			got = Named("f", err).Error()
		}
		if got != c.want {
			t.Errorf("%q:\n got %s\nwant %s", c.text, got, c.want)
		}
	}
	if err := Named("f", errors.New("x")); err.Error() != "f: x" {
		t.Error(err)
	}
	if err := Read("not it", []byte(`{"c": 1}`), new(doc)); err != nil {
		t.Error(err)
	}
	if err := Read("not it", []byte("{\"a\": 1,\n  \"b\": [}"), new(doc)); err == nil || Named("f", err).Error() != "f:2:9: not it: invalid character '}' looking for beginning of value" {
		t.Error(err)
	}
}

func TestDocument(t *testing.T) {
	d := Open([]byte("{\"a\": 1,\n \"b\" : [ \"x\",\n{\"c\":null}], \"d\": {}}"))
	for path, want := range map[string]string{
		"": "f:1:1: x", "a": "f:1:7: x", "b": "f:2:8: x", "b[0]": "f:2:10: x", "b[1]": "f:3:1: x", "b[1].c": "f:3:6: x", "d": "f:3:19: x",
		"b[1].missing": "f:3:1: x", "b[7].c": "f:2:8: x", "missing": "f:1:1: x",
	} {
		if got := Named("f", d.At(path, errors.New("x"))).Error(); got != want {
			t.Errorf("%q: %s, want %s", path, got, want)
		}
	}
	if got := Named("f", Open([]byte(`{"a": [1, }`)).At("a", errors.New("x"))).Error(); got != "f:1:1: x" {
		t.Errorf("what is not JSON: %s", got)
	}
}
