package scenario

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"

	"motehound/world"
)

var update = flag.Bool("update", false, "write the goldens anew")

// TestGolden loads every scenario of testdata and compares what it says, item by item.
func TestGolden(t *testing.T) {
	names, err := filepath.Glob("testdata/*.star")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			var printed []string
			s, err := Load(name, Options{Print: func(msg string) { printed = append(printed, msg) }})
			if err != nil {
				t.Fatal(err)
			}
			got := describe(s)
			for _, p := range printed {
				got += "print " + p + "\n"
			}
			golden := strings.TrimSuffix(name, ".star") + ".txt"
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("got:\n%s\nwant:\n%s", got, want)
			}
		})
	}
}

// describe writes a scenario as one line for each item.
func describe(s *Scenario) string {
	var b strings.Builder
	fmt.Fprintf(&b, "topology %q\n", s.Topology)
	v := reflect.ValueOf(*s)
	for i := range v.NumField() {
		name, f := v.Type().Field(i).Name, v.Field(i)
		switch {
		case name == "Name" || name == "Topology":
		case name == "Sources":
			for _, src := range s.Sources {
				fmt.Fprintf(&b, "source %s\n", filepath.ToSlash(src.Name))
			}
		case f.Kind() == reflect.Slice:
			for j := range f.Len() {
				fmt.Fprintf(&b, "%s %s\n", strings.ToLower(name), item(f.Index(j)))
			}
		case !f.IsZero():
			fmt.Fprintf(&b, "%s %v\n", strings.ToLower(name), f)
		}
	}
	return b.String()
}

// item shows the fields of a struct that are not zero.
func item(v reflect.Value) string {
	if v.Kind() == reflect.String {
		return v.String()
	}
	var parts []string
	for i := range v.NumField() {
		name, f := v.Type().Field(i).Name, v.Field(i)
		switch x := f.Interface().(type) {
		case Pos:
			parts = append(parts, filepath.ToSlash(x.String()))
		case world.Fault, world.Serial:
			parts = append(parts, item(f))
		case []byte:
			if name == "Frame" && len(x) == 0 {
				continue
			}
			parts = append(parts, fmt.Sprintf("%s=% x", name, x))
		default:
			if fn, ok := x.(interface{ Name() string }); ok {
				parts = append(parts, name+"="+fn.Name())
			} else if !f.IsZero() || f.Kind() == reflect.Int || name == "Kind" {
				parts = append(parts, fmt.Sprintf("%s=%v", name, filepath.ToSlash(fmt.Sprint(x))))
			}
		}
	}
	return strings.Join(parts, " ")
}

// TestSame loads twice: a scenario is a function of its files.
func TestSame(t *testing.T) {
	for _, name := range []string{"testdata/everything.star", "testdata/shapes.star"} {
		var seen []string
		for range 3 {
			s, err := Load(name, Options{})
			if err != nil {
				t.Fatal(err)
			}
			seen = append(seen, describe(s))
		}
		if seen[0] != seen[1] || seen[0] != seen[2] {
			t.Errorf("%s differs from run to run", name)
		}
	}
}

// TestTimeOption overrules run(time = ...), also for readings that go on until the end.
func TestTimeOption(t *testing.T) {
	s, err := Load("testdata/everything.star", Options{Time: 1_000_000_000_000})
	if err != nil {
		t.Fatal(err)
	}
	if s.Time != 1_000_000_000_000 {
		t.Errorf("time %d", s.Time)
	}
	for _, r := range s.Sensors {
		if r.Channel == 3 && r.At > s.Time {
			t.Errorf("a sine goes on after the end: %+v", r)
		}
	}
}

// chunk is a case of a chunked file: a script and what must come of it.
type chunk struct {
	line   int
	script string
	want   []string
}

// readChunks reads scripts between lines "---". Lines that start with "### " say what is wanted.
func readChunks(t testing.TB, name string) []chunk {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var out []chunk
	c := chunk{line: 1}
	number := 0
	for line := range strings.Lines(string(data) + "---\n") {
		number++
		switch text := strings.TrimRight(line, "\n"); {
		case text == "---":
			if strings.TrimSpace(c.script) != "" {
				out = append(out, c)
			}
			c = chunk{line: number + 1}
		case strings.HasPrefix(text, "### "):
			c.want = append(c.want, text[4:])
		default:
			c.script += line
		}
	}
	return out
}

// writeChunks writes them back.
func writeChunks(t testing.TB, name string, chunks []chunk) {
	t.Helper()
	var b strings.Builder
	for i, c := range chunks {
		if i > 0 {
			b.WriteString("---\n")
		}
		b.WriteString(c.script)
		for _, w := range c.want {
			b.WriteString("### " + w + "\n")
		}
	}
	if err := os.WriteFile(name, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// prelude is a network for scripts that declare none.
const prelude = `network(motes = [mote(id = i, board = "micaz", firmware = "a.elf") for i in range(3)], links = line(3))
`

// tree is a file system of a script, with what it may load.
func tree(script string) fstest.MapFS {
	if !strings.Contains(script, "network(") {
		script = prelude + script
	}
	return fstest.MapFS{
		"a.star":         {Data: []byte(script)},
		"ok.star":        {Data: []byte("x = 1\n")},
		"self.star":      {Data: []byte("load('self.star', 'x')\n")},
		"cycle.star":     {Data: []byte("load('sub/back.star', 'x')\n")},
		"sub/back.star":  {Data: []byte("load('../cycle.star', 'x')\n")},
		"sub/up.star":    {Data: []byte("load('../ok.star', y = 'x')\nz = y\n")},
		"broken.star":    {Data: []byte("x = 1\nx = = 2\n")},
		"wrong.star":     {Data: []byte("def f(x):\n  return x + {}\n\ndef g(x):\n  return f(x)\n")},
		"unknown.star":   {Data: []byte("x = undefined_name\n")},
		"firmware.star":  {Data: []byte("\x7fELF\x00\x00")},
		"binary.star":    {Data: []byte("x = 1\n\x00")},
		"good.gain":      {Data: []byte("gain 0 1 -50\n")},
		"words.gain":     {Data: []byte("# fine\ngain 0 1 loud\n")},
		"loud.gain":      {Data: []byte("gain 0 1 3\n")},
		"nonsense.gain":  {Data: []byte("gain 0\n")},
		"negative.gain":  {Data: []byte("noise 0 -100 -3\n")},
		"huge.star":      {Data: []byte(strings.Repeat("# x\n", maxSource/4+1))},
		"longchain.star": {Data: []byte("x = " + strings.Repeat("1 + ", maxSource/4-4) + "1\n")},
	}
}

// TestErrors wants the exact message of every mistake.
func TestErrors(t *testing.T) {
	chunks := readChunks(t, "testdata/errors.txt")
	if *update {
		defer writeChunks(t, "testdata/errors.txt", chunks)
	}
	for i, c := range chunks {
		t.Run(fmt.Sprintf("line %d", c.line), func(t *testing.T) {
			_, err := LoadFS(tree(c.script), "a.star", Options{})
			want := strings.Join(c.want, "\n")
			got := "no error"
			if err != nil {
				got = strings.ReplaceAll(err.Error(), "\t", "")
			}
			chunks[i].want = strings.Split(got, "\n")
			if got != want && !*update {
				t.Errorf("%s\n got %s\nwant %s", c.script, got, want)
			}
		})
	}
}
