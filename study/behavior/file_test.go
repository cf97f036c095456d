package behavior

import (
	"bytes"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"motehound/observe/calltree"
)

var update = flag.Bool("update-models", false, "write testdata/models-v2.json anew (only while version 2 is not released)")

// goldenFile has everything that a file can have, but for rules.
func goldenFile(t *testing.T) []byte {
	b := calltree.NewBook()
	trees, vectors := stage(t, b)
	run := script(b, 1, trees, vectors, "tr tr ts aaac tr(a)aa tr ts aaaac b tr tr ts aac tr tr tr ts")
	m := NewMiner(b, Plan{Depth: 2 * 2, Depths: map[uint16]Depth{22: 3}, Drops: []Drop{{"A18", 2}}}, []uint16{18, 22})
	m.WatchData()
	for i, x := range run {
		if x.Vector == 22 {
			m.Touch(calltree.Touch{Mote: 1, Serial: x.Serial, Variable: "packets[1]", Of: "packets[]", In: "ADC", Write: i%2 == 0})
		}
		m.Take(x)
	}
	src := someSource()
	src.SHA256 = strings.Repeat("ab", 32)
	src.Filter = calltree.Filter{Exclude: []string{"CC1000.*"}, Kernel: true}
	return m.FileOf(m.Finish(), src).Bytes()
}

// Files of the first version, which know nothing of data, stay readable, and are written the same but for their version.
func TestFileOfTheFirstVersion(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("testdata/models-v1.json")
	if err != nil {
		t.Fatal(err)
	}
	f, err := ReadFile(data)
	if err != nil {
		t.Fatal(err)
	}
	if f.Data || f.Orders != nil || f.Rules != nil {
		t.Errorf("%+v", f)
	}
	if want := strings.Replace(string(data), `"motehound_models": 1`, `"motehound_models": 2`, 1); string(f.Bytes()) != want {
		t.Errorf("it is written as\n%s", f.Bytes())
	}
	if v, err := NewVerifier(calltree.NewBook(), f, nil); err != nil || v.Data() {
		t.Error(err)
	}
}

// TestGoldenFile: a file that was written by this version stays readable, and is written the same.
func TestGoldenFile(t *testing.T) {
	t.Parallel()
	const name = "testdata/models-v2.json"
	got := goldenFile(t)
	if *update {
		if err := os.WriteFile(name, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("the file is now\n%s", got)
	}
	f, err := ReadFile(want)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(f.Bytes(), want) {
		t.Error("reading and writing changes it")
	}
	if _, err := NewVerifier(calltree.NewBook(), f, nil); err != nil {
		t.Error(err)
	}
}

func TestBadFilesAreRefused(t *testing.T) {
	t.Parallel()
	good := string(goldenFile(t))
	for _, c := range []struct{ old, new, say string }{
		{`"motehound_models": 2`, `"motehound_models": 3`, "use a newer one"},
		{`"motehound_models": 2`, `"motehound_models": 0`, "versions start at 1"},
		{`"motehound_models": 2`, `"x": 1`, "model mine"},
		{`"depth": "1.5"`, `"depth": "1.7"`, "depth"},
		{`"name": "A22"`, `"name": "B22"`, "twice"},
		{`"name": "A22"`, `"name": "Q18"`, "names are letters"},
		{`"models": "A22`, `"models": "Q22`, "no model Q22"},
		{`"int: ADC"`, `" int: ADC"`, "two spaces"},
		{`"int: ADC"`, `"      int: ADC"`, "nothing above calls it"},
		{`"int: ADC"`, `""`, "needs a name"},
		{`Osc.nc:3"`, `Osc.nc:x"`, "FILE:LINE"},
		{`"vector": 22`, `"vector": 18`, "twice"},
		{`"data_orders": [`, `"data_orders": [{"variable": "x", "after": {"model": "Q22", "in": "ADC"}},`, "no model Q22"},
		{`{`, `[`, "not a model file"},
		{`"firmware"`, `"of_later": {"x": [1]}, "firmware"`, `unknown field "of_later"`},
	} {
		if !strings.Contains(good, c.old) {
			t.Fatalf("the file has no %s:\n%s", c.old, good)
		}
		_, err := ReadFile([]byte(strings.Replace(good, c.old, c.new, 1)))
		if err == nil || !strings.Contains(err.Error(), c.say) {
			t.Errorf("%s -> %s: %v", c.old, c.new, err)
		}
	}
}

func FuzzReadFile(f *testing.F) {
	data, err := os.ReadFile("testdata/models-v1.json")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add([]byte(`{"motehound_models":1,"depth":"0.5","vectors":[{"vector":1,"depth":"1","models":[{"name":"A1","functions":["post: x @ y @ f:1"]}]}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := ReadFile(data)
		if err != nil {
			return
		}
		first := file.Bytes()
		again, err := ReadFile(first)
		if err != nil {
			t.Fatalf("what was written is not read: %v\n%s", err, first)
		}
		if !bytes.Equal(first, again.Bytes()) {
			t.Fatalf("written otherwise:\n%s\n%s", first, again.Bytes())
		}
		v, err := NewVerifier(calltree.NewBook(), file, nil)
		if err != nil {
			t.Fatal(err)
		}
		v.Finish()
		if d, err := Diff(file, again); err != nil || !d.Same() {
			t.Fatalf("a file differs from itself: %+v, %v", d, err)
		}
	})
}

func TestApproveById(t *testing.T) {
	t.Parallel()
	b := calltree.NewBook()
	trees, vectors := stage(t, b)
	f, _ := mineRuns(t, b, Plan{Depth: 2 * 2}, nil, script(b, 1, trees, vectors, "rrs rrs rrs t rrs"))
	list := verifyRuns(t, b, f, script(b, 1, trees, vectors, "rrs rs rrs a rrs rtrs"))
	var kinds []string
	for _, v := range list {
		kinds = append(kinds, v.Kind)
	}
	if want := []string{"procedure", "interleaving", "jobflow"}; !slices.Equal(kinds, want) {
		t.Fatalf("%v, want %v", kinds, want)
	}
	if _, err := f.Approve(list, []string{"procedure-1-00000000"}); err == nil {
		t.Error("a violation that is not there was approved")
	}
	added, err := f.Approve(list, []string{list[0].ID, list[1].ID})
	if err != nil || !slices.Equal(added, []string{"model A18", "A16 interleaving A22 A22 B22"}) {
		t.Errorf("%v, %v", added, err)
	}
	left := verifyRuns(t, b, f, script(b, 1, trees, vectors, "rrs rs rrs a rrs rtrs"))
	if len(left) != 1 || left[0].ID != list[2].ID {
		t.Errorf("%d are left", len(left))
	}
}

func TestDiff(t *testing.T) {
	t.Parallel()
	b := calltree.NewBook()
	trees, vectors := stage(t, b)
	from, _ := mineRuns(t, b, Plan{Depth: 2 * 3}, nil, script(b, 1, trees, vectors, "t aab aac aab aac aab aac rrs rrs"))
	trees['b'] = tree(t, b, "int: SPI_STC\n  CC1000.dataReady @ CC1000P.nc:41\n  post: received\ntask: received\n  Receive.receive @ Relay.nc:21\n    Queue.enqueue @ Q.nc:6")
	to, _ := mineRuns(t, b, Plan{Depth: 2 * 3}, nil, script(b, 1, trees, vectors, "t baaca abaaca abaaca a rsrtrsrrs"))
	d, err := Diff(from, to)
	if err != nil || d.Same() {
		t.Fatal(err)
	}
	spi := d.Vectors[1]
	if len(spi.Changed) != 1 || spi.Changed[0].From != "B18" || spi.Changed[0].Leaves.In.Function != "Receive.receive" ||
		spi.Changed[0].Leaves.Got.Function != "Queue.enqueue" || len(spi.Common) != 2 || len(spi.Added)+len(spi.Removed) > 0 || spi.Shows != "3" {
		t.Errorf("%+v", spi)
	}
	if adc := d.Vectors[2]; len(adc.Common) != 2 || len(adc.Flows) == 0 || adc.Shows != "" {
		t.Errorf("%+v", adc)
	}
	// A flow that begins elsewhere is the same.
	turned, _ := mineRuns(t, b, Plan{Depth: 2 * 3}, nil, script(b, 1, trees, vectors, "srr srr srr"))
	straight, _ := mineRuns(t, b, Plan{Depth: 2 * 3}, nil, script(b, 1, trees, vectors, "rrs rrs rrs"))
	if d, err := Diff(turned, straight); err != nil || !d.Same() {
		t.Errorf("%+v, %v", d, err)
	}
	deep, _ := mineRuns(t, b, Plan{Depth: 2}, nil, script(b, 1, trees, vectors, "rrs rrs rrs"))
	if d, err := Diff(deep, straight); err != nil || d.Same() || d.Vectors[0].Depths == nil || len(d.Vectors[0].Common) != 2 || d.Vectors[0].Changed != nil {
		t.Errorf("%+v, %v", d, err)
	}
	before, after := *straight, *straight
	before.Data, before.Orders = true, []DataOrder{{"packet", Access{"A22", "ADC", true}, Access{"A22", "ADC", false}}}
	after.Data, after.Orders = true, []DataOrder{{"packet", Access{"A22", "ADC", true}, Access{"B22", "ADC", false}}}
	after.Rules = []Rule{{Function: "f", Answer: "g"}}
	before.Requests, after.Requests = []Request{{"a.c", "send", "done", 1}, {"a.c", "read", "readDone", 2}}, []Request{{"a.c", "read", "readDone", 3}}
	if d, err := Diff(&before, &after); err != nil || d.Same() || !slices.Equal(d.RemovedOrders, before.Orders) || !slices.Equal(d.AddedOrders, after.Orders) ||
		!slices.Equal(d.AddedRules, after.Rules) || d.RemovedRules != nil || !slices.Equal(d.RemovedRequests, before.Requests[:1]) || d.AddedRequests != nil {
		t.Errorf("%+v, %v", d, err)
	}
}
