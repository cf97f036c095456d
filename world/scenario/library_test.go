package scenario

import (
	"strings"
	"testing"
	"testing/fstest"
)

const twoMotes = "network(motes = [mote(id = i, board = 'micaz', firmware = 'a.elf') for i in range(2)])\n"

// TestLibrary loads what comes with Motehound: it is among the sources, and what it declares has the place of the user's call.
func TestLibrary(t *testing.T) {
	s, err := LoadFS(fstest.MapFS{"a.star": {Data: []byte("load('@tinyos', 'ctp')\n" + twoMotes + "ctp()\n")}}, "a.star", Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Sources) != 2 || s.Sources[1].Name != "@tinyos" || len(s.Sources[1].Data) == 0 {
		t.Errorf("sources %v", s.Sources)
	}
	for _, p := range s.Properties {
		if p.Pos.File != "a.star" || p.Pos.Line != 3 || p.Kind != Eventually || !p.PerMote() {
			t.Errorf("%+v", p)
		}
	}
	if len(s.Properties) != 2 {
		t.Errorf("%d properties", len(s.Properties))
	}
}

// TestLibraryNames has names that look like a library's.
func TestLibraryNames(t *testing.T) {
	files := fstest.MapFS{"@own.star": {Data: []byte("x = 1\n")}}
	for _, c := range []struct{ text, want string }{
		{"load('@own.star', 'x')\n", ""},
		{"load('@tinios', 'ctp')\n", "a.star:1:1: cannot load @tinios: there is no library @tinios: use one of @tinyos, or a file beside the scenario"},
		{"load('@tinyos', 'cpt')\n", "a.star:1:1: load: name cpt not found in module @tinyos"},
		{"load('@tinyos', 'ctp')\nctp(within = 'soon')\n", "in ctp, called at a.star:2:4"},
	} {
		files["a.star"] = &fstest.MapFile{Data: []byte(c.text + twoMotes)}
		_, err := LoadFS(files, "a.star", Options{})
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.text, err)
		}
	}
}
