package plan

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const symbolicInput = `symbolic_var(mote = 1, path = "input", function = "take")
`

// lineOf is the line of testdata/values.c that says LINE: name.
func lineOf(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile("testdata/values.c")
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(string(data), "\n") {
		if strings.Contains(line, "LINE: "+name) {
			return "\"values.c\", " + strconv.Itoa(i+1)
		}
	}
	t.Fatalf("no line %q", name)
	return ""
}

// TestProperties: each kind of property is looked at, for all values of an input, and what is found can be made again.
func TestProperties(t *testing.T) {
	t.Parallel()
	elf := built(t)
	line := lineOf(t, "taken")
	for _, c := range []struct {
		name, text string
		want       []string
		input      string // of the first finding
	}{
		{"nothing", ``, []string{"kernel: failure"}, "2a"},
		{"always", `always("small", each(lambda n: n.var("input") < 200))`, []string{"small", "kernel: failure"}, ""},
		{"at line", `at_line(` + line + `, lambda n: n.var("input") != 77, name = "not 77")`, []string{"not 77", "kernel: failure"}, "4d"},
		{"at call", `at_call("halve", lambda n: n.var("input") * 3 != 99, name = "not 33")`, []string{"not 33", "kernel: failure"}, "21"},
		{"at call, inlined", `at_call("note", lambda n: n.var("half") != 50, name = "not 50")`, []string{"not 50", "kernel: failure"}, ""},
		{"at time", `at_time("10ms", "half", lambda net: not net[1].var("taken") or net[1].var("half") == net[1].var("input") // 2 and net[1].var("half") % 4 < 3)`,
			[]string{"half", "kernel: failure"}, ""},
		{"at time, in order", `at_time("10ms", "half", each(lambda n: not n.var("taken") or n.var("half") <= n.var("input")))`, []string{"kernel: failure"}, "2a"},
		{"eventually", `eventually("taken", lambda net: net[1].var("taken") == 1, within = "5ms")`, []string{"kernel: failure", "taken"}, "2a"},
		{"at return", `at_return("take", lambda n: False, name = "no return")`, []string{"no return", "kernel: failure"}, ""},
		{"each value", `at_time("10ms", "text", lambda net: "%d" % net[1].var("input") != "200")`, []string{"text", "kernel: failure"}, "c8"},
		{"bytes", `at_time("10ms", "bytes", lambda net: net[1].bytes("input") != b"\x09")`, []string{"bytes", "kernel: failure"}, "09"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := planned(t, elf, symbolicInput+c.text, Options{})
			if err != nil {
				t.Fatal(err)
			}
			r, err := p.Explore(os.ReadFile)
			if err != nil {
				t.Fatal(err)
			}
			if got := names(r); !slices.Equal(got, c.want) {
				t.Fatalf("found %q, want %q", got, c.want)
			}
			if len(r.Refuted) > 0 || len(r.LeftOut) > 0 || len(r.Outcomes) != 2 {
				t.Errorf("refuted %q, left out %q, %d scenarios", r.Refuted, r.LeftOut, len(r.Outcomes))
			}
			for _, f := range r.Findings {
				if !again(t, f.Recipe, p.sc) {
					t.Errorf("%s: its recipe does not show it", f.Property)
				}
			}
			if in := r.Findings[0].Inputs; c.input != "" && (len(in) != 1 || in[0].Hex != c.input) {
				t.Errorf("inputs %v, want %s", in, c.input)
			}
		})
	}
}

// TestInputs: what else can be symbolic.
func TestInputs(t *testing.T) {
	t.Parallel()
	elf := built(t)
	file, line, _ := strings.Cut(lineOf(t, "step"), ", ")
	for _, c := range []struct{ name, text, hex string }{
		{"line", `symbolic_var(mote = 1, path = "step", file = ` + file + `, line = ` + line + `, nth = 2)
at_time("15ms", "steps", lambda net: net[1].var("steps") != 202)`, "c8"},
		{"function", `symbolic_var(mote = 1, path = "steps", function = "walk", nth = 3)
at_time("15ms", "steps", lambda net: net[1].var("steps") != 0x1235)`, "3412"},
		{"sensor", `symbolic_sensor(mote = 1, channel = 2, name = "light")
at_time("15ms", "dark", lambda net: net[1].var("reading") != 777)`, "0903"},
		{"serial", `serial(mote = 1, at = "12ms", data = "x")
symbolic_serial(mote = 1, length = 1)
at_time("19ms", "no z", lambda net: net[1].var("typed") != 122)`, "7a"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := explored(t, elf, c.text, Options{})
			if len(r.Findings) != 1 || len(r.Findings[0].Inputs) != 1 || r.Findings[0].Inputs[0].Hex != c.hex {
				t.Fatalf("found %q", names(r))
			}
			sc, err := loaded(t, elf, c.text)
			if err != nil {
				t.Fatal(err)
			}
			rec := r.Findings[0].Recipe
			if !again(t, rec, sc) {
				t.Error("its recipe does not replay")
			}
			rec.Symbolic.Inputs[0] = strings.Replace(rec.Symbolic.Inputs[0], " = ", " = 1", 1)
			if again(t, rec, sc) {
				t.Errorf("its recipe replays with the input %q", rec.Symbolic.Inputs[0])
			}
		})
	}
}

// TestNeverMet: an input that no mote comes to is told.
func TestNeverMet(t *testing.T) {
	t.Parallel()
	r := explored(t, built(t), symbolicInput+`symbolic_var(mote = 1, path = "step", function = "walk", nth = 4, name = "late")
symbolic_sensor(mote = 1, channel = 3)
symbolic_sensor(mote = 1, channel = 2)`, Options{})
	if want := []string{"late, mote 1", "reading 1 of channel 3, mote 1"}; !slices.Equal(r.NeverMet, want) {
		t.Errorf("never met are %q, want %q", r.NeverMet, want)
	}
}

// TestUnmet: a goal without a bound that is not reached in some scenario is left open.
func TestUnmet(t *testing.T) {
	t.Parallel()
	r := explored(t, built(t), symbolicInput+`silence("kernel: failure", function = "take", reason = "not of interest here")
eventually("taken", lambda net: net[1].var("taken") == 1)`, Options{})
	if r.Verdict() != "unknown" || len(r.LeftOut) != 1 || !strings.Contains(r.LeftOut[0], `"taken" holds later: it does not at the end of 1 outcomes`) {
		t.Errorf("%s, found %q, left out %q", r.Verdict(), names(r), r.LeftOut)
	}
}

// TestEventually: a goal that is reached for some inputs only parts scenarios, so that it is found not to be for the others, though one input
// of each is run. It is looked at for all of them then.
func TestEventually(t *testing.T) {
	t.Parallel()
	const silent = `silence("kernel: failure", function = "take", reason = "not of interest here")
`
	for _, c := range []struct {
		text      string
		scenarios int
		bad       func(input uint64) bool
	}{
		{`eventually("small", lambda net: net[1].var("half") < 60, within = "5ms")`, 3, func(v uint64) bool { return v >= 120 }},
		{`eventually("small", each(lambda n: n.var("half") not in [7, 9] or n.var("input") % 2 == 0), within = "5ms")`, 3,
			func(v uint64) bool { return v == 15 || v == 19 }},
		{`eventually("small", each(lambda n: n.var("half") < 128), within = "5ms")`, 2, nil},
	} {
		p, err := planned(t, built(t), symbolicInput+silent+c.text, Options{})
		if err != nil {
			t.Fatal(err)
		}
		r, err := p.Explore(os.ReadFile)
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Outcomes) != c.scenarios || len(r.Sampled) != 0 || len(r.Refuted) != 0 || len(r.LeftOut) != 0 {
			t.Errorf("%s: %d scenarios, sampled %q, refuted %q, left out %q", c.text, len(r.Outcomes), r.Sampled, r.Refuted, r.LeftOut)
		}
		if c.bad == nil {
			if len(r.Findings) != 0 || r.Verdict() != "holds" {
				t.Errorf("%s: %s, %q", c.text, r.Verdict(), names(r))
			}
			continue
		}
		if len(r.Findings) != 1 || !c.bad(r.Findings[0].Inputs[0].Value) || !again(t, r.Findings[0].Recipe, p.sc) {
			t.Errorf("%s: found %+v", c.text, r.Findings)
		}
	}
}

// TestBounds: an index that depends on an input can leave its array. The state goes on where it does not.
func TestBounds(t *testing.T) {
	t.Parallel()
	p, err := planned(t, built(t), `symbolic_var(mote = 1, path = "where", function = "put")`, Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := p.Explore(os.ReadFile)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Findings) != 1 || r.Findings[0].Kind != "bounds" || r.Findings[0].Inputs[0].Value&0x0F < 8 || !again(t, r.Findings[0].Recipe, p.sc) {
		t.Errorf("found %+v", r.Findings)
	}
	if len(r.Outcomes) != 1 || r.Outcomes[0].Inputs[0].Value&0x0F >= 8 {
		t.Errorf("it ends as %+v", r.Outcomes)
	}
}

// TestRefused: what cannot be explored is refused, with what to do.
func TestRefused(t *testing.T) {
	t.Parallel()
	elf := built(t)
	network := func(more string) string {
		return "network(motes = [mote(id = i, board = \"micaz\", firmware = elf) for i in [1, 2]], " + more + ")\n"
	}
	for text, want := range map[string]string{
		network("links = full(2), faults = [late_boot(max = 1, by = \"1s\")]"): "no late_boot",
		network("drift = 3"):                    "drift",
		network("links = full(2, loss = 0.5)"):  "a fault",
		"symbolic_serial(mote = 1, length = 4)": "no serial input 1",
		"serial(mote = 1, at = \"1s\", data = \"ab\")\nsymbolic_serial(mote = 1, length = 4)":                                        "byte 3 is said",
		"symbolic_sensor(mote = 1, channel = 2)\nsymbolic_sensor(mote = 1, channel = 2, nth = 3)":                                    "follow each other",
		"symbolic_var(mote = 1, path = \"input\", function = \"nowhere\")":                                                           "no function nowhere",
		symbolicInput + "always(\"sent\", lambda net: net[1].frames_sent == 0)":                                                      "does not count frames",
		symbolicInput + "always(\"none\", lambda net: net[9].var(\"a\") == 0)":                                                       "no mote has id 9",
		"symbolic_var(mote = 1, path = \"c\", function = \"take\")\nat_time(\"9ms\", \"v\", lambda net: int(net[1].var(\"c\")) > 0)": "each value of",
		symbolicInput + "at_time(\"9ms\", \"v\", lambda net: max([net[1].var(\"input\"), 3]) > 0)":                                   "compare them one by one",
		symbolicInput + "at_time(\"9ms\", \"v\", lambda net: {net[1].var(\"input\"): 1} != None)":                                    "cannot be a key",
	} {
		p, err := planned(t, elf, text, Options{Until: 20e9})
		if err == nil {
			_, err = p.Explore(os.ReadFile)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\n%v, want something of %q", text, err, want)
		}
	}
	for _, o := range []Options{{Mapping: "x"}, {Solver: "x"}, {Searcher: "x"}} {
		p, err := planned(t, elf, "", o)
		if err == nil {
			_, err = p.Explore(os.ReadFile)
		}
		if err == nil || !strings.Contains(err.Error(), `"x"`) {
			t.Errorf("%+v: %v", o, err)
		}
	}
}
