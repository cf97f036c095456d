package picture

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"motehound/internal/need"
	"motehound/study/behavior"
)

var update = flag.Bool("update", false, "write testdata anew")

// The paper's examples: SPI receives and sends bytes and packets, and a timer sends packets on their way.
var (
	byteTree     = []string{"int: SPI_STC @ spi.c:9", "  Radio.byteReady @ radio.c:40"}
	receivedTree = []string{"int: SPI_STC @ spi.c:9", "  Radio.byteReady @ radio.c:40", "    post: post(received) @ relay.c:12", "task: received @ relay.c:12",
		"  Receive.receive @ relay.c:20", "    crc @ crc.h:3", "    crc @ crc.h:3", "    crc @ crc.h:3", "    AMSend.send @ relay.c:60"}
	sentTree  = []string{"int: SPI_STC @ spi.c:9", "  Radio.byteReady @ radio.c:40", "task: sent @ relay.c:80", "  AMSend.sendDone @ relay.c:85"}
	routeTree = []string{"int: TIMER0_COMP", "  send @ fwd.c:5", "    selectRoute @ fwd.c:50", "      isForMe @ fwd.c:90", "        address @ fwd.c:99",
		"      getRoute @ engine.c:7", "    startOneShot @ timer.c:1", "  stop @ timer.c:2"}
)

func handMade() *behavior.File {
	return &behavior.File{Version: 1, Firmware: "relay.elf", Depth: "4", Vectors: []behavior.FileVector{
		{Vector: 16, Name: "TIMER0_COMP", Depth: "5", Models: []behavior.FileModel{{Name: "A16", Summary: "getRoute, startOneShot", Count: 7, Functions: routeTree}}},
		{Vector: 18, Name: "SPI_STC", Depth: "4", Watched: true, Models: []behavior.FileModel{
			{Name: "A18", Summary: "Radio.byteReady", Count: 1204, Functions: byteTree},
			{Name: "B18", Summary: "runs received; post(received), Receive.receive, AMSend.send", Count: 3, Functions: receivedTree},
			{Name: "C18", Summary: "runs sent; AMSend.sendDone", Count: 3, Functions: sentTree},
		}, Flows: []behavior.FileFlow{{Models: "A18 A18 B18 A18 A18 C18", Main: true, Count: 3, Share: 0.981, Interleaved: []behavior.FileInterleaving{
			{Model: "A16", Inside: true, Between: true, Example: &behavior.FileExample{Mote: 1, Instance: 7}}}},
			{Models: "A18 A18 C18", Count: 1, Share: 0.019}}},
	}}
}

func pathOf(t testing.TB, lines []string) []behavior.PathFunction {
	t.Helper()
	path, err := (&behavior.FileModel{Functions: lines}).Path()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// violations are one of each kind: mote 0 of case 3, Figure 9, and case 2.
func violations(t testing.TB) []*behavior.Violation {
	deviant := append(append([]string{}, routeTree[:5]...), "      type @ packet.c:3", "  stop @ timer.c:2")
	new0, old := pathOf(t, deviant), pathOf(t, routeTree)
	return []*behavior.Violation{
		{ID: "procedure-16-1", Kind: behavior.ProcedureViolation, Vector: 16, Model: "B16", Nearest: "A16", Mote: 0, Instance: 4, Start: 123456, Count: 39, Motes: []int{0},
			Functions: new0, Leaves: &behavior.Leave{In: old[2], After: &old[4], Expected: &old[5], Got: &new0[5]}},
		{ID: "jobflow-18-2", Kind: behavior.JobflowViolation, Vector: 18, Model: "B18", Mote: 1, Instance: 22, Start: 220, Count: 2, Motes: []int{1, 3},
			Functions: pathOf(t, receivedTree), Flow: "A18 A18 B18 A18 A18 C18", Sequence: "A18 A18 B18 A18 A18 B18 A18 A18 C18", Odd: 5, Expected: "C18"},
		{ID: "interleaving-18-3", Kind: behavior.InterleavingViolation, Vector: 18, Model: "A22", Mote: 1, Instance: 5, Start: 50, Count: 1, Motes: []int{1},
			Functions: pathOf(t, []string{"int: ADC @ adc.c:3", "  readDone @ adc.c:30"}), Flow: "A18 A18 B18 A18 A18 C18", Member: "B18"},
	}
}

func drawn(t testing.TB, f *behavior.File, list []*behavior.Violation) *Picture {
	t.Helper()
	p, err := New(f, nil)
	if err != nil {
		t.Fatal(err)
	}
	p.AddRival(18, "A18 B18", 2, 0.01)
	for _, v := range list {
		p.AddViolation(v, "SPI_STC", "")
	}
	return p
}

func written(t testing.TB, write func(io.Writer) error) string {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestGolden: a picture is the same to the byte.
func TestGolden(t *testing.T) {
	t.Parallel()
	p := drawn(t, handMade(), violations(t))
	for name, write := range map[string]func(io.Writer) error{"testdata/models.svg": p.WriteSVG, "testdata/models.dot": p.WriteDot} {
		got := written(t, write)
		if *update {
			if err := os.WriteFile(name, []byte(got), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s has changed; look at it, and if it is better, go test ./show/picture -update", name)
		}
	}
}

// wellFormed reads all of an SVG file.
func wellFormed(text string) error {
	for d := xml.NewDecoder(strings.NewReader(text)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// hostile is a name that would do harm if it were taken for markup anywhere, with a control character and a turn of direction.
const hostile = "</script><script>document.documentElement.dataset.harm='done'</script><img src=x onerror=\"document.documentElement.dataset.harm='done'\">]]>&amp;\\N\"'\x01\u202e"

// hostileFile has such names wherever a file can have one.
func hostileFile() *behavior.File {
	f := handMade()
	f.Firmware = hostile
	for i := range f.Vectors {
		f.Vectors[i].Name = hostile
		for j := range f.Vectors[i].Models {
			m := &f.Vectors[i].Models[j]
			m.Summary = "runs " + hostile + "; " + hostile
			m.Functions = append([]string{"int: " + hostile + " @ " + "a.c:3"}, "  "+hostile+" @ x&<\">.c:1")
		}
	}
	return f
}

func TestHostileNamesAreText(t *testing.T) {
	t.Parallel()
	p := drawn(t, hostileFile(), violations(t))
	svg := written(t, p.WriteSVG)
	if err := wellFormed(svg); err != nil {
		t.Error(err)
	}
	for what, text := range map[string]string{"SVG": svg, "HTML": written(t, p.WriteHTML)} {
		if strings.Contains(text, "<img") || strings.ContainsAny(text, "\x01\u202e") {
			t.Errorf("%s: the name got through", what)
		}
		if !strings.Contains(text, "&lt;img src=x") {
			t.Errorf("%s: the name is not shown", what)
		}
	}
	if out := graphviz(t, written(t, p.WriteDot)); !strings.Contains(out, `&lt;img src=x`) || !strings.Contains(out, `&amp;amp;\N`) {
		t.Errorf("Graphviz does not show the name as it is:\n%s", out)
	}
}

// graphviz draws a file with the real dot, which must have nothing to say against it.
func graphviz(t *testing.T, text string) (svg string) {
	t.Helper()
	c := need.Command(t, "dot", "-Tsvg")
	var out, notes bytes.Buffer
	c.Stdin, c.Stdout, c.Stderr = strings.NewReader(text), &out, &notes
	if err := c.Run(); err != nil || strings.Contains(notes.String(), "rror") {
		t.Fatalf("dot: %v\n%s", err, notes.String())
	}
	return out.String()
}

// TestGraphviz: dot takes the file, and keeps the order of calls from top to bottom.
func TestGraphviz(t *testing.T) {
	t.Parallel()
	svg := graphviz(t, written(t, drawn(t, handMade(), violations(t)).WriteDot))
	for _, name := range []string{"selectRoute", "Receive.receive", "crc ×3", "approved: A16", "this run: B16", "C18"} {
		if !strings.Contains(svg, ">"+name+"<") {
			t.Errorf("there is no %q", name)
		}
	}
	p := drawn(t, handMade(), nil)
	if err := p.Keep([]string{"A16"}); err != nil {
		t.Fatal(err)
	}
	text := graphviz(t, written(t, p.WriteDot))
	height := func(name string) (y float64) {
		before, _, found := strings.Cut(text, ">"+name+"<")
		if !found {
			t.Fatalf("there is no %q", name)
		}
		_, y0, _ := strings.Cut(before[strings.LastIndex(before, "<text"):], ` y="`)
		if _, err := fmt.Sscan(strings.ReplaceAll(y0, `"`, " "), &y); err != nil {
			t.Fatal(err)
		}
		return y
	}
	for _, pair := range [][2]string{{"send", "stop"}, {"selectRoute", "startOneShot"}, {"isForMe", "getRoute"}} {
		if height(pair[0]) >= height(pair[1]) {
			t.Errorf("%s is not over %s", pair[0], pair[1])
		}
	}
}

func TestKeep(t *testing.T) {
	t.Parallel()
	p := drawn(t, handMade(), nil)
	if err := p.Keep([]string{"Q18"}); err == nil || !strings.Contains(err.Error(), "Q18") {
		t.Errorf("%v", err)
	}
	if err := p.Keep([]string{"C18"}); err != nil {
		t.Fatal(err)
	}
	if svg := written(t, p.WriteSVG); !strings.Contains(svg, "AMSend.sendDone") || strings.Contains(svg, "Receive.receive") || strings.Contains(svg, "Job flow") {
		t.Error("more or less than C18 is drawn")
	}
}

// FuzzSVG: whatever a model file has, its picture is well-formed, and the page has no more script than its own.
func FuzzSVG(f *testing.F) {
	f.Add(handMade().Bytes())
	f.Add(hostileFile().Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := behavior.ReadFile(data)
		if err != nil {
			return
		}
		p, err := New(file, nil)
		if err != nil {
			t.Fatalf("a file that can be read cannot be drawn: %v", err)
		}
		if err := wellFormed(written(t, p.WriteSVG)); err != nil {
			t.Error(err)
		}
		if n := strings.Count(written(t, p.WriteHTML), "<script"); n != 2 {
			t.Errorf("%d scripts", n)
		}
	})
}

// TestAnyViolation: whatever a violation says, it is drawn, well-formed.
func TestAnyViolation(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	word := func(most int) string {
		list := make([]string, r.IntN(most+1))
		for i := range list {
			list[i] = []string{"A18", "B18", "C18", "Z18"}[r.IntN(4)]
		}
		return strings.Join(list, " ")
	}
	for range 1500 {
		p := drawn(t, handMade(), nil)
		v := &behavior.Violation{Kind: []string{behavior.ProcedureViolation, behavior.JobflowViolation, behavior.InterleavingViolation, "other"}[r.IntN(4)],
			Vector: 18, Model: word(1), Nearest: []string{"A16", "B18", "", "Q16"}[r.IntN(4)], Flow: word(12), Sequence: word(90), Expected: word(1), Odd: r.IntN(100) - 5,
			More: r.IntN(2), Inside: r.IntN(2) == 0, Member: word(1)}
		for range r.IntN(6) {
			v.Functions = append(v.Functions, behavior.PathFunction{Function: word(1), Layer: r.IntN(6) - 1, Kind: []string{"call", "task", "\"<>"}[r.IntN(3)]})
		}
		p.AddViolation(v, "SPI_STC", word(1))
		if err := wellFormed(written(t, p.WriteSVG)); err != nil {
			t.Fatalf("%+v: %v", *v, err)
		}
		written(t, p.WriteDot)
		written(t, p.WriteHTML)
	}
}
