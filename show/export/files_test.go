package export

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"motehound/internal/need"
	"motehound/internal/testkit"
	"motehound/mote"
	"motehound/mote/board"
	"motehound/mote/periph"
	"motehound/world"
	"motehound/world/medium"
)

// exported is a run of three motes with all exports, and what was seen of it in another way.
type exported struct {
	folder  string
	files   Files
	w       *world.World
	plain   *world.World      // the same run with nobody watching
	served  []map[uint8]int   // by mote: how often each vector was
	lit     []int             // by mote: how often a light went on
	pads    [][]padChange     // by mote
	entered map[uint32]int    // by word address: how often handlers were entered, in all motes
	entries map[string]uint32 // by name of the handler
}

type padChange struct {
	ns    uint64
	pad   string
	level bool
}

var oneRun = sync.OnceValue(func() *exported { return new(exported) })
var runOnce sync.Once

// relayRun makes the run, once for all tests.
func relayRun(t *testing.T) *exported {
	t.Helper()
	x := oneRun()
	runOnce.Do(func() { x.run(t) })
	if x.plain == nil {
		t.Fatal("the run failed in another test")
	}
	return x
}

func (x *exported) run(t *testing.T) {
	const until = 3 * world.Second
	k := testkit.Example(t, "relay", board.MicaZ.Name)
	network := func() *world.World {
		return testkit.Network(t, k, 3, medium.Line(3, -60, 0), world.Config{Stagger: 1000}, 1)
	}
	folder, err := os.MkdirTemp("", "exports")
	if err != nil {
		t.Fatal(err)
	}
	in := func(name string) string { return filepath.Join(folder, name) }
	x.folder, x.w = folder, network()
	x.files = Files{Perfetto: in("a.pftrace"), VCD: in("a.vcd"), LCOV: in("a.info"), Cobertura: in("a.xml"), Pprof: in("a.pprof"), Pcap: in("a.pcapng"),
		Chart: in("a.txt"), Vars: []string{"RelayC__made", "1.RelayC__waiting"}}
	x.watch(k)
	done, err := x.files.Attach(x.w, false)
	if err != nil {
		t.Fatal(err)
	}
	x.w.RunUntil(until)
	if err := done(); err != nil {
		t.Fatal(err)
	}
	plain := network()
	plain.RunUntil(until)
	x.plain = plain
}

// watch sees the run in another way.
func (x *exported) watch(k *mote.Kind) {
	n := len(x.w.Motes())
	x.served, x.lit, x.pads, x.entered, x.entries = make([]map[uint8]int, n), make([]int, n), make([][]padChange, n), map[uint32]int{}, map[string]uint32{}
	for i := range x.served {
		x.served[i] = map[uint8]int{}
	}
	for _, s := range k.Image.Symbols {
		if strings.HasPrefix(s.Name, "__vector_") && s.Size > 0 {
			x.entries[s.Name] = s.Addr / 2
		}
	}
	x.w.Observe(world.Observer{
		Interrupt: func(i int, _ uint64, v uint8) { x.served[i][v]++ },
		LED: func(i int, _ uint64, _ int, on bool) {
			if on {
				x.lit[i]++
			}
		},
		Pad: func(i int, ps uint64, p periph.Pin, level bool) {
			x.pads[i] = append(x.pads[i], padChange{ps / 1000, p.String(), level})
		},
		Code: func(_ int, _ uint64, pc uint32) bool { x.entered[pc]++; return false },
		CodeAt: func(*mote.Kind) (at []uint32) {
			for _, pc := range x.entries {
				at = append(at, pc)
			}
			slices.Sort(at)
			return at
		},
	})
}

// TestMain takes away the files of the run that tests share.
func TestMain(m *testing.M) {
	status := m.Run()
	if folder := oneRun().folder; folder != "" {
		os.RemoveAll(folder)
	}
	os.Exit(status)
}

// Writing all exports does not change the run.
func TestExportsChangeNothing(t *testing.T) {
	t.Parallel()
	x := relayRun(t)
	if a, b := x.w.Hash(), x.plain.Hash(); a != b {
		t.Errorf("with exports the run ends in %v, without in %v", a, b)
	}
}

// A file that cannot be written, and a variable that is none, are refused before anything runs.
func TestExportsRefused(t *testing.T) {
	t.Parallel()
	w := testkit.Alone(t, testkit.Example(t, "blink", board.MicaZ.Name), 1)
	nowhere := filepath.Join(t.TempDir(), "missing", "file")
	for _, c := range []struct {
		files Files
		want  string
	}{
		{Files{Perfetto: nowhere}, "--perfetto: "}, {Files{VCD: nowhere}, "--vcd: "}, {Files{LCOV: nowhere}, "--lcov: "}, {Files{Cobertura: nowhere}, "--cobertura: "},
		{Files{Pprof: nowhere}, "--pprof: "}, {Files{Pcap: nowhere}, "--pcap: "}, {Files{Chart: nowhere}, "--chart: "}, {Files{Vars: []string{"none"}}, "--var none: no variable"},
	} {
		if _, err := c.files.Attach(w, false); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.files, err, c.want)
		}
	}
}

// wave is the changes of one signal, one for each time.
type wave struct {
	at    []uint64
	value []string
}

// readVCD reads a dump: signals by their paths.
func readVCD(t *testing.T, text string) map[string]*wave {
	t.Helper()
	waves, codes := map[string]*wave{}, map[string][]string{}
	var scope []string
	now := uint64(0)
	set := func(code, value string) {
		for _, name := range codes[code] {
			w := waves[name]
			value := strings.TrimLeft(value, "0")
			n := len(w.at)
			switch {
			case n > 0 && w.at[n-1] == now:
				w.value[n-1] = value
			case n == 0 || w.value[n-1] != value:
				w.at, w.value = append(w.at, now), append(w.value, value)
			}
		}
	}
	words := strings.Fields(text)
	for i := 0; i < len(words); i++ {
		switch word := words[i]; {
		case word == "$scope":
			scope = append(scope, words[i+2])
			i += 3
		case word == "$upscope":
			scope = scope[:len(scope)-1]
			i++
		case word == "$var":
			name := strings.Join(append(slices.Clone(scope), words[i+4]), ".")
			waves[name] = &wave{}
			codes[words[i+3]] = append(codes[words[i+3]], name)
			for words[i] != "$end" {
				i++
			}
		case word == "$dumpvars" || word == "$end":
		case strings.HasPrefix(word, "$"):
			for words[i] != "$end" {
				i++
			}
		case word[0] == '#':
			at, err := strconv.ParseUint(word[1:], 10, 64)
			if err != nil || at < now {
				t.Fatalf("time %s after %d", word, now)
			}
			now = at
		case word[0] == 'b' || word[0] == 'r':
			set(words[i+1], word[1:])
			i++
		default:
			set(word[1:], word[:1])
		}
	}
	for _, w := range waves { // what GTKWave's converter says of a signal before its first value
		for len(w.value) > 0 && strings.Contains(w.value[0], "x") {
			w.at, w.value = w.at[1:], w.value[1:]
		}
	}
	return waves
}

// GTKWave's converters read the dump, and find the same values in it; pads change when the world says so.
func TestVCD(t *testing.T) {
	t.Parallel()
	need.Tools(t, "vcd2fst", "fst2vcd")
	x := relayRun(t)
	dump, err := os.ReadFile(x.files.VCD)
	if err != nil {
		t.Fatal(err)
	}
	fst := filepath.Join(t.TempDir(), "a.fst")
	if out, err := need.Command(t, "vcd2fst", x.files.VCD, fst).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	again, err := need.Command(t, "fst2vcd", fst).Output()
	if err != nil {
		t.Fatal(err)
	}
	ours, theirs := readVCD(t, string(dump)), readVCD(t, string(again))
	if len(ours) < 3*60 || len(ours) != len(theirs) {
		t.Errorf("%d signals, of which GTKWave has %d", len(ours), len(theirs))
	}
	changes := 0
	for name, w := range ours {
		o := theirs[name]
		if o == nil || !slices.Equal(w.at, o.at) || !slices.Equal(w.value, o.value) {
			t.Errorf("%s is %v in ours, %v in GTKWave's", name, w, o)
		}
		changes += len(w.at)
	}
	if changes < 500 {
		t.Errorf("only %d changes", changes)
	}
	for i, list := range x.pads {
		checkPads(t, ours, "mote_"+strconv.Itoa(i)+".pins.", list)
	}
	for i, m := range x.w.Motes() {
		m.Ports(func(port int, value, direction uint8) {
			name := "mote_" + strconv.Itoa(i) + ".ports.PORT" + string(rune(m.Chip().Ports[port].Name))
			if w := ours[name]; w.value[len(w.value)-1] != strings.TrimLeft(strconv.FormatUint(uint64(value), 2), "0") {
				t.Errorf("%s ends with %v, but is %b", name, w.value, value)
			}
		})
	}
	if w := ours["mote_1.variables.RelayC__made"]; w == nil || len(w.at) < 2 {
		t.Errorf("no changes of a variable: %v", w)
	}
}

// checkPads compares the last level at each time.
func checkPads(t *testing.T, waves map[string]*wave, scope string, list []padChange) {
	t.Helper()
	last := map[string]padChange{}
	for _, c := range list {
		last[c.pad+"@"+strconv.FormatUint(c.ns, 10)] = c
	}
	for _, c := range last {
		w := waves[scope+c.pad]
		n, found := slices.BinarySearch(w.at, c.ns)
		if !found {
			n-- // a change and back in no time
		}
		if want := map[bool]string{false: "", true: "1"}[c.level]; n < 0 || w.value[n] != want {
			t.Errorf("%s%s at %d ns is not %v", scope, c.pad, c.ns, c.level)
		}
	}
}
