package engine

import (
	"maps"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"slices"
	"testing"

	"motehound/examples"
	"motehound/study/symbolic/core"
	"motehound/study/symbolic/expr"
	"motehound/study/symbolic/mapping"
	"motehound/world"
	"motehound/world/medium"
)

// tinytcp is a client (index 0, id 1) and a server, over the radio or a wire.
func tinytcp(t testing.TB, build, boardName, over string, client, server []world.Variable, faults ...world.Fault) *world.Config {
	t.Helper()
	f, ok := examples.Find("tinytcp_"+build, boardName)
	if !ok {
		t.Fatalf("there is no example tinytcp_%s for %s", build, boardName)
	}
	k := example(t, f)
	var links []medium.Link
	if over == "radio" {
		links = medium.Full(2, -60, 0)
	}
	net, err := medium.New(2, links)
	if err != nil {
		t.Fatal(err)
	}
	use := []world.Variable{{Path: "LinkC__useRadio", Value: 1}, {Path: "LinkC__useWire", Value: 0}}
	if over == "wire" {
		net.Wires = []medium.Wire{{A: medium.End{Mote: 0}, B: medium.End{Mote: 1}, Framing: medium.SLIP}}
		use[0].Value, use[1].Value = 0, 1
	}
	for i := range faults {
		if over == "radio" && faults[i].Kind <= world.Corrupt {
			faults[i].Wire = world.None
		}
	}
	return &world.Config{Net: net, Faults: faults, Motes: []world.MoteConfig{
		{Kind: k, ID: 1, Vars: slices.Concat(use, client)}, {Kind: k, ID: 2, Vars: slices.Concat(use, server)},
	}}
}

// equal is the condition that a variable of a mote has a value.
func equal(v View, mote int, path string, value uint64) (expr.ID, error) {
	x, err := v.value(mote, path)
	if err != nil {
		return 0, err
	}
	return v.Pool.Eq(x, v.Pool.Const(v.Pool.Width(x), value)), nil
}

func agree(v View) (expr.ID, error) {
	a, err := v.value(0, "ClientC__isConnected")
	if err != nil {
		return 0, err
	}
	b, err := v.value(1, "ServerC__isConnected")
	if err != nil {
		return 0, err
	}
	return v.Pool.Eq(a, b), nil
}

func never(v View) (expr.ID, error) { return v.Pool.Bool(false), nil }

// TestTinyTCP is KleeNet's cases: each build with a bug violates what it should, the fixed one nothing.
func TestTinyTCP(t *testing.T) {
	connected := Check{Name: "connected here, connected there", Place: "tinytcp/client.c:119", Motes: []int{0, 1}, Holds: agree}
	apart := Check{Name: "not connected here, not connected there", Place: "tinytcp/client.c:175", Motes: []int{0, 1}, Holds: agree}
	noReset := Check{Name: "nobody resets a connection", Place: "tinytcp/client.c:175", Motes: []int{0}, Holds: never}
	answers := Check{Name: "the other side answers", Place: "tinytcp/client.c:178", Motes: []int{0}, Holds: never}
	pages := func(at uint64, n uint64) Check {
		return Check{Name: "the client has its pages", At: at, Motes: []int{0}, Holds: func(v View) (expr.ID, error) { return equal(v, 0, "ClientC__pages", n) }}
	}
	free := Check{Name: "the server is free again", At: 59 * world.Second, Motes: []int{1}, Holds: func(v View) (expr.ID, error) {
		const synRcvd = 2
		stuck, err := equal(v, 1, "TcpP__connections[0].state", synRcvd)
		return v.Pool.Not(stuck), err
	}}
	alone := Check{Name: "nobody is connected after two minutes", At: 120 * world.Second, Motes: []int{0, 1}, Holds: func(v View) (expr.ID, error) {
		a, err := equal(v, 0, "ClientC__isConnected", 0)
		if err != nil {
			return 0, err
		}
		b, err := equal(v, 1, "ServerC__isConnected", 0)
		return v.Pool.And(a, b), err
	}}
	single := Check{Name: "one connection for the same ends", Always: true, Motes: []int{1}, Holds: func(v View) (expr.ID, error) {
		const closed = 0
		same := v.Pool.Bool(true)
		for _, field := range []string{"peer", "peerPort", "localPort"} {
			a, err := v.value(1, "TcpP__connections[0]."+field)
			if err != nil {
				return 0, err
			}
			b, err := v.value(1, "TcpP__connections[1]."+field)
			if err != nil {
				return 0, err
			}
			same = v.Pool.And(same, v.Pool.Eq(a, b))
		}
		a, err := equal(v, 1, "TcpP__connections[0].state", closed)
		if err != nil {
			return 0, err
		}
		b, err := equal(v, 1, "TcpP__connections[1].state", closed)
		return v.Pool.Or(v.Pool.Or(a, b), v.Pool.Not(same)), err
	}}
	once := world.Variable{Path: "ClientC__requests", Value: 1}
	for _, c := range []struct {
		name, build    string
		client, server []world.Variable
		faults         []world.Fault
		vars           []Var
		checks         []Check
		until          uint64
		want           []string // what is violated
		wire           bool     // over the wire too
	}{
		{name: "port", build: "port", until: 12 * world.Second, checks: []Check{connected, apart},
			vars: []Var{{0, core.Input{At: "ClientC__connect", Var: "ClientC__port", Name: "port"}}},
			want: []string{connected.Name}},
		{name: "loss", build: "reset", until: 30 * world.Second, client: []world.Variable{once}, checks: []Check{connected, noReset, answers, pages(30*world.Second, 1)},
			faults: []world.Fault{onWire(world.Lose, 1)}, want: []string{noReset.Name, "the client has its pages"}, wire: true},
		{name: "duplicate", build: "second", until: 30 * world.Second, checks: []Check{connected, noReset, answers, single, pages(30*world.Second, 3)},
			faults: []world.Fault{onWire(world.Duplicate, 1)}, want: []string{noReset.Name, single.Name, "the client has its pages"}, wire: true},
		{name: "stuck", build: "stuck", until: 60 * world.Second,
			client: []world.Variable{once, {Path: "ClientC__againMs", Value: 10240}, {Path: "TcpP__synTries", Value: 1}},
			server: []world.Variable{{Path: "TcpP__room", Value: 1}},
			checks: []Check{free, pages(60*world.Second, 1)},
			faults: []world.Fault{onWire(world.Lose, 1)}, want: []string{"the client has its pages", free.Name}, wire: true},
		{name: "outage", build: "stale", until: 121 * world.Second, client: []world.Variable{once, {Path: "ClientC__tells", Value: 1}},
			server: []world.Variable{once, {Path: "ClientC__tells", Value: 1}}, checks: []Check{alone},
			faults: []world.Fault{ofMote(world.Outage, 0, 0)}, want: []string{alone.Name}, wire: true},
	} {
		for _, build := range []string{c.build, "fixed"} {
			for _, over := range []string{"radio", "wire"} {
				if over == "wire" && !c.wire || testing.Short() && (over == "wire") == c.wire {
					continue
				}
				t.Run(c.name+"/"+build+"/"+over, func(t *testing.T) {
					w := tinytcp(t, build, "micaz", over, c.client, c.server, slices.Clone(c.faults)...)
					e := explored(t, Config{World: w, Until: c.until, Vars: c.vars, Checks: c.checks})
					var got []string
					for _, f := range e.Findings() {
						confirm(t, e, f)
						if name := f.Check.Name; !slices.Contains(got, name) {
							got = append(got, name)
						}
					}
					slices.Sort(got)
					var want []string
					if build == c.build {
						want = c.want
					}
					if !slices.Equal(got, want) {
						t.Errorf("violated are %q, want %q", got, want)
					}
					list, more := e.Outcomes(100, noHurry)
					if n := len(list); more || c.name == "port" && n != 2+len(want) {
						t.Errorf("%d outcomes", n)
					}
					for _, l := range e.Explorer().LeftOut() {
						t.Errorf("left out: %s", l)
					}
					t.Logf("%d outcomes, %+v %+v", len(list), e.Stats(), e.Explorer().Stats())
				})
			}
		}
	}
}

// TestMappings: an unknown port and unknown failures at once, on the air. All mappings come to the same, and so does the emulator.
func TestMappings(t *testing.T) {
	const until = 6 * world.Second
	var first map[string]int
	for _, a := range mapping.Algorithms {
		w := tinytcp(t, "port", "micaz", "radio", []world.Variable{{Path: "ClientC__requests", Value: 1}}, nil, onWire(world.Lose, 1), onWire(world.Duplicate, 1))
		e := explored(t, Config{World: w, Until: until, Mapping: a, Vars: []Var{{0, core.Input{At: "ClientC__connect", Var: "ClientC__port", Name: "port"}}}})
		count := outcomes(t, e, until, "ClientC__pages", "ClientC__resets", "ClientC__isConnected", "TcpP__sentAgain", "TcpP__resetsSent")
		if first == nil {
			first = count
			t.Logf("%d kinds of ends, %+v", len(count), e.Stats())
		}
		if !maps.Equal(count, first) || len(count) < 8 {
			t.Errorf("%s: outcomes end as %v, with sds as %v", a.Name, count, first)
		}
	}
}

// TestMica2: a CC1000 hands bits on that its receiver has to put together. What is symbolic stays so.
func TestMica2(t *testing.T) {
	const until = 12 * world.Second
	e := explored(t, Config{World: tinytcp(t, "port", "mica2", "radio", nil, nil), Until: until,
		Vars:   []Var{{0, core.Input{At: "ClientC__connect", Var: "ClientC__port", Name: "port"}}},
		Checks: []Check{{Name: "connected here, connected there", Place: "tinytcp/client.c:119", Motes: []int{0, 1}, Holds: agree}}})
	for _, l := range e.Explorer().LeftOut() {
		t.Errorf("left out: %s", l)
	}
	if found := e.Findings(); len(found) != 1 {
		t.Errorf("found %v, want what port 0 does", found)
	} else {
		confirm(t, e, found[0])
	}
	count := outcomes(t, e, until, "ClientC__isConnected", "ServerC__isConnected")
	t.Logf("%v, %+v %+v", count, e.Stats(), e.Explorer().Stats())
	if list, _ := e.Outcomes(100, noHurry); len(list) != 3 {
		t.Errorf("%d outcomes, want 3", len(list))
	}
}

// shell is KleeNet's three motes: a shell that gets a page from a server over a router. Some of what is typed is symbolic.
func shell(t testing.TB, symbolic ...int) Config {
	t.Helper()
	f, ok := examples.Find("tinytcp_fixed", "micaz")
	if !ok {
		t.Fatal("there is no example tinytcp_fixed")
	}
	k := example(t, f)
	net, err := medium.New(3, slices.Concat(medium.Both(0, 2, -60, 0), medium.Both(1, 2, -60, 0)))
	if err != nil {
		t.Fatal(err)
	}
	w := &world.Config{Net: net}
	for i := range 3 {
		w.Motes = append(w.Motes, world.MoteConfig{Kind: k, ID: uint16(i + 1), Vars: []world.Variable{{Path: "ClientC__requests", Value: 0}}})
	}
	input := Serial{Serial: world.Serial{At: world.Second, Bytes: []byte("get index1\n")}, Name: "typed", Symbolic: symbolic}
	return Config{World: w, Until: 12 * world.Second, Serial: []Serial{input}, Checks: []Check{
		{Name: "nobody resets a connection", At: 11 * world.Second, Motes: []int{0}, Holds: func(v View) (expr.ID, error) { return equal(v, 0, "ClientC__resets", 0) }},
	}}
}

// TestShell is KleeNet's three motes: a shell that gets a page from a server over a router, with six unknown characters.
func TestShell(t *testing.T) {
	name, typed := shell(t), shell(t, 4, 5, 6, 7, 8, 9)
	name.Vars = []Var{{0, core.Input{At: "ClientC__connect", Var: "ClientC__name", Name: "file name"}}}
	for unknown, cfg := range map[string]Config{"name": name, "typed": typed} {
		t.Run(unknown, func(t *testing.T) {
			e := explored(t, cfg)
			count := outcomes(t, e, cfg.Until, "ClientC__pages", "ClientC__notFound")
			t.Logf("%v, %+v %+v", count, e.Stats(), e.Explorer().Stats())
			for _, l := range e.Explorer().LeftOut() {
				t.Errorf("left out: %s", l)
			}
			for _, f := range e.Findings() {
				t.Errorf("a false alarm: %s", f)
			}
			if count["100000"] < 2 || count["010000"] == 0 {
				t.Errorf("outcomes end as %v, want two that have a page, and some that have none", count)
			}
		})
	}
}

// childVar is set in a process that runs one test and no other.
const childVar = "MOTEHOUND_TEST_ALONE"

// TestShellMemory: six unknown characters of a request, with less memory than they need. The process stays within it, and what was left out is
// told. It is a process of its own: others have taken memory here.
func TestShellMemory(t *testing.T) {
	const bound = 36 << 20
	if os.Getenv(childVar) == "" {
		cmd := exec.Command(os.Args[0], "-test.run=^TestShellMemory$", "-test.v")
		cmd.Env = append(os.Environ(), childVar+"=1", "GOGC=") // as a user has it, whatever the tests have
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		t.Logf("%s", out)
		return
	}
	cfg := shell(t, 0, 1, 2, 3, 4, 5)
	all, more := explored(t, cfg).Outcomes(1000, noHurry)
	if more {
		t.Fatal("more than 1000 outcomes")
	}
	debug.FreeOSMemory()
	cfg.MaxBytes = bound
	most := uint64(0)
	cfg.Progress = func(Progress) {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		most = max(most, m.Sys-m.HeapReleased)
	}
	e := bounded(t, cfg)
	if most == 0 || most > bound {
		t.Errorf("%d bytes were in use, of %d", most, bound)
	}
	list, _ := e.Outcomes(1000, noHurry)
	left := e.Left()
	if len(list) < 10 || len(list) >= len(all) || len(left) == 0 || e.Stats().Unfinished == 0 || e.Stats().Stopped != "" {
		t.Errorf("%d outcomes of %d, %d places where states were left out, %+v", len(list), len(all), len(left), e.Stats())
	}
	for _, l := range left {
		if l.Line == 0 || l.Function == "" {
			t.Errorf("a state was left out at %+v", l.Standing)
		}
		t.Logf("left out: %s", l)
	}
	t.Logf("%d bytes, %d of %d outcomes", most, len(list), len(all))
}
