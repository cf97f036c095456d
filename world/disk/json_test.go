package disk

import (
	"errors"
	"testing"
)

func TestPlaces(t *testing.T) {
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
		{`{} {}`, `f:1:3: not it: something comes behind the end`},
	} {
		got := ""
		if err := DecodeJSON("not it", []byte(c.text), new(doc)); err != nil {
			got = Named("f", err).Error()
		}
		if got != c.want {
			t.Errorf("%q:\n got %s\nwant %s", c.text, got, c.want)
		}
	}
	if err := Named("f", errors.New("x")); err.Error() != "f: x" {
		t.Error(err)
	}
	if err := ReadJSON("not it", []byte(`{"c": 1}`), new(doc)); err != nil {
		t.Error(err)
	}
	if err := ReadJSON("not it", []byte("{\"a\": 1,\n  \"b\": [}"), new(doc)); err == nil || Named("f", err).Error() != "f:2:9: not it: invalid character '}' looking for beginning of value" {
		t.Error(err)
	}
}
