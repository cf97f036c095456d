package scenario

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"motehound/firmware/image"
)

// fake is motes whose memory is as the start-up code of a firmware leaves it.
type fake struct {
	im    *image.Image
	ram   [][]byte
	dead  map[int]bool
	cut   map[[2]int]bool
	lit   uint32
	now   uint64
	first int // the id of mote 0
}

var typesImage = sync.OnceValues(func() (*image.Image, error) {
	return image.Load("../../firmware/image/testdata/types-dwarf4.elf")
})

func newFake(t testing.TB, motes int) *fake {
	t.Helper()
	im, err := typesImage()
	if err != nil {
		t.Fatal(err)
	}
	f := &fake{im: im, dead: map[int]bool{}, cut: map[[2]int]bool{}}
	start, _ := im.Symbol("__data_start")
	end, _ := im.Symbol("__data_end")
	load, _ := im.Symbol("__data_load_start")
	ram := make([]byte, 0x10000)
	copy(ram[start.Addr:end.Addr], im.Flash[load.Addr:])
	for i := range motes {
		if i < 16 {
			ram = slices.Clone(ram) // of more, nothing is written
		}
		f.ram = append(f.ram, ram)
	}
	return f
}

func (f *fake) Motes() int                        { return len(f.ram) }
func (f *fake) ID(i int) uint16                   { return uint16(f.first + i) }
func (f *fake) Image(int) *image.Image            { return f.im }
func (f *fake) LoadByte(i int, addr uint32) uint8 { return f.ram[i][addr] }
func (f *fake) Time() uint64                      { return f.now }
func (f *fake) Alive(i int) bool                  { return !f.dead[i] }
func (f *fake) FramesSent(i int) uint32           { return uint32(10 * i) }
func (f *fake) FramesReceived(i int) uint32       { return uint32(100 * i) }
func (f *fake) LEDs(int) uint32                   { return f.lit }
func (f *fake) Linked(from, to int) bool {
	return (from-to == 1 || to-from == 1) && !f.cut[[2]int{from, to}]
}
func (f *fake) set(t testing.TB, i int, path string, v int64) {
	t.Helper()
	ref, err := f.im.Lookup(path)
	if err == nil {
		err = ref.Write(memory{f, i}, v)
	}
	if err != nil {
		t.Fatal(err)
	}
}

type memory struct {
	f *fake
	i int
}

func (m memory) LoadByte(addr uint32) uint8     { return m.f.ram[m.i][addr] }
func (m memory) StoreByte(addr uint32, v uint8) { m.f.ram[m.i][addr] = v }

// property makes a property of an expression over net or n.
func property(t testing.TB, declaration string) *Property {
	t.Helper()
	s := load1(t, declaration)
	return &s.Properties[len(s.Properties)-1]
}

// TestValues asks for variables of every type, and compares with what C has.
func TestValues(t *testing.T) {
	for _, expr := range strings.Split(strings.TrimSpace(`
n.var("u8") == 200
n.var("s8") == -100
n.var("u16") == 54321 and n.var("s16") == -12345
n.var("u32") == 4000000000 and n.var("s32") == -2000000000
n.var("u64") == 0xFEDCBA9876543210 and n.var("s64") == -1234567890123456789
n.var("yes") == 1 and n.var("yes") == True and n.var("yes") != False and n.var("yes")
n.var("letter") == ord("x")
n.var("ratio") == -2.5 and n.var("exact") > 0.0999 and n.var("exact") < 0.1001
n.var("shade") == n.enum("GREEN") and n.var("shade") == 5 and n.text("shade") == "GREEN"
n.var("odd") == 9 and n.var("sign") == -1 and n.var("sign") == n.enum("MINUS")
n.var("flags").low == 5 and n.var("flags").mid == 99 and n.var("flags").small == -3
n.var("flags").one and n.var("flags").tail == 21 and n.var("flags.mid") == 99
n.var("wide").a == 0xABCDE and n.var("wide").b == 0x123 and n.var("wide").c == -7
n.var("mix").word == 0x1234 and n.var("mix").byte[1] == 0x12 and n.var("mix").part.lo == 0x34
n.var("first").id == 1 and n.var("first").corner[1].y == -4 and n.var("first").whole == 0xCAFE
n.var("first").half == [0xFE, 0xCA] and [0xFE, 0xCA] == n.var("first").half
n.var("head->next->id") == 2 and n.var("*head->next").corner[0].x == 5
n.var("*head").corner[1].x == 3 and n.var("head->corner")[0].y == -2 and n.var("**handle").id == 1
n.var("head") != 0 and n.var("second.next") == 0
list(n.var("row")) == [1, 2, 3, 4, 5] and n.var("row") == (1, 2, 3, 4, 5) and n.var("row") != [1]
len(n.var("row")) == 5 and max(n.var("row")) == 5
3 in n.var("row") and 9 not in n.var("row") and n.var("row")[-1] == 5
n.var("grid")[1][2] == -3 and n.var("grid[0][1]") == 2 and n.var("grid")[0] == [1, 2, 3]
[p.x for p in n.var("points")] == [10, 20, 30]
n.var("by_task[TASK_SEND]") == 5 and n.var("by_task")[n.enum("TASK_BLINK")] == 6
n.text("text") == "mote" and n.text("row") == "[1, 2, 3, 4, 5]"
n.var("packet").dest == 0x1234 and n.var("packet").crc == 0x1234 and n.var("packet").when == 0x01020304
n.var("packet").rssi == -1 and n.var("packet").temp == -200 and n.var("packet").drift == -2 and n.var("packet").big == -3
n.var("packet").readings == [7, 256]
n.var("SerialDispatcherP__0__receiveState").bufOneLocked and not n.var("SerialDispatcherP__0__receiveState").bufZeroLocked
n.var("SerialDispatcherP[0].receiveState").state == 2
n.var("AMQueueImplP__1__current") == 4
n.var("in_flash") == [0x11, 0x22, 0x33]
n.var("row") == n.var("row") and n.var("row") != n.var("by_task")
dir(n.var("points")[0]) == ["x", "y"] and "whole" in dir(n.var("first")) and hasattr(n, "var") and type(n.var("row")) == "array"
bool(n.var("row")) and type(n.var("first")) == "struct" and type(n) == "node"
`), "\n") {
		v := newFake(t, 2)
		p := property(t, fmt.Sprintf("always('p', each(lambda n: %s))", expr))
		verdict, _, err := evaluate(p, v)
		if err != nil || !verdict.Holds {
			t.Errorf("%s: %+v %v", expr, verdict, err)
		}
	}
}

// TestViewErrors wants the exact message of mistakes in properties.
func TestViewErrors(t *testing.T) {
	for _, c := range []struct{ decl, want string }{
		{`always("p", lambda net: net[7].alive)`, `a.star:2:28: property "p": no mote has id 7`},
		{`always("p", lambda net: net["x"].alive)`, `a.star:2:28: property "p": got "x", want a node id`},
		{`always("p", each(lambda n: n.var("roe")))`, `a.star:2:33: property "p": no variable roe in ../../firmware/image/testdata/types-dwarf4.elf; did you mean row?`},
		{`always("p", each(lambda n: n.var("first").idd))`, `a.star:2:42: property "p": first (struct nested) has no field idd; did you mean id?`},
		{`always("p", each(lambda n: n.var("row")[5]))`, `a.star:2:40: property "p": array index 5 out of range [-5:4]`},
		{`always("p", each(lambda n: n.var("second.next->id")))`, `a.star:2:33: property "p": second.next->id: second.next is a null pointer now`},
		{`always("p", each(lambda n: n.var("in_eeprom")))`, `a.star:2:33: property "p": in_eeprom lies in EEPROM, which properties cannot read`},
		{`always("p", each(lambda n: n.var(1)))`, `a.star:2:33: property "p": var: got int, want a string`},
		{`always("p", each(lambda n: n.var()))`, `a.star:2:33: property "p": var: takes one argument, a name`},
		{`always("p", each(lambda n: n.enum("PINK")))`, `a.star:2:34: property "p": no enumerator PINK in ../../firmware/image/testdata/types-dwarf4.elf`},
		{`always("p", each(lambda n: n.variable))`, `a.star:2:29: property "p": node has no .variable field or method`},
		{`always("p", each(lambda n: None))`, `a.star:2:18: property "p": lambda returned nothing: return True or False`},
		{`always("p", lambda net: "yes")`, `a.star:2:13: property "p": lambda returned a string: return True or False`},
		{`always("p", each(lambda n: n.var("first") == n.var("second")))`, `a.star:2:43: property "p": structs cannot be compared: compare their fields`},
		{`always("p", lambda net: serial(mote = 0, at = "1s", data = "x"))`, `a.star:2:31: property "p": serial cannot be called in a property: call it while the file is loaded`},
		{`
seen = []
def f(net):
    seen.append(1)
always("p", f)`, `a.star:5:16: property "p": append: cannot append to frozen list`},
		{`
def f(net):
    while True: pass
always("p", f)`, `a.star:3:1: property "p": the property takes more than 2000000 steps: look for a loop that does not end`},
		{`
def parent(n): return n.var("nothing")
def f(n): return parent(n) == 0
always("p", each(f))`, "a.star:3:28: property \"p\": no variable nothing in ../../firmware/image/testdata/types-dwarf4.elf\n\tin parent, called at a.star:4:24"},
	} {
		_, _, err := evaluate(property(t, c.decl), newFake(t, 2))
		if err == nil || err.Error() != c.want {
			t.Errorf("%s\n got %v\nwant %s", c.decl, err, c.want)
		}
	}
}

// TestRecovers goes on with an evaluator after a property that never ended.
func TestRecovers(t *testing.T) {
	e, v := NewEvaluator(), newFake(t, 1)
	endless := property(t, "def f(net):\n    while True: pass\nalways('endless', f)")
	fine := property(t, "always('fine', lambda net: True)")
	for range 3 {
		if _, err := e.Evaluate(endless, v); err == nil {
			t.Fatal("no error")
		}
		if verdict, err := e.Evaluate(fine, v); err != nil || !verdict.Holds {
			t.Fatal(verdict, err)
		}
	}
}

// TestVerdicts evaluates properties in changing states.
func TestVerdicts(t *testing.T) {
	v := newFake(t, 4)
	v.first = 10
	check := func(declaration string, want bool, motes ...int) {
		t.Helper()
		got, _, err := evaluate(property(t, declaration), v)
		if err != nil || got.Holds != want || fmt.Sprint(got.Motes) != fmt.Sprint(motes) {
			t.Errorf("%s: got %+v %v, want %v %v", declaration, got, err, want, motes)
		}
	}
	each := `always("p", each(lambda n: n.var("u8") == 200))`
	check(each, true)
	v.set(t, 1, "u8", 3)
	v.set(t, 3, "u8", 4)
	check(each, false, 1, 3)
	v.dead[3] = true
	check(each, false, 1)
	check(`always("p", any_of(lambda n: n.var("u8") == 3))`, true)
	check(`always("p", any_of(lambda n: n.var("u8") == 4))`, false)
	check(`always("p", lambda net: each(lambda n: n.id < 13)(net) and any_of(lambda n: n.id == 12)(net))`, true)
	check(`always("p", lambda net: [n.id for n in net] == [10, 11, 12, 13] and len(net) == 4)`, true)
	check(`always("p", lambda net: net.motes[1].id == 11 and net[13].alive == False)`, true)
	check(`always("p", lambda net: net[11].var("u8"))`, true)
	check(`always("p", lambda net: net[12].has_path_to(10) and not net[10].has_path_to(13))`, true)
	check(`always("p", lambda net: net[11].hears(10) and net[11].hears(net[12]) and not net[10].hears(12))`, true)
	v.cut[[2]int{1, 0}] = true
	check(`always("p", lambda net: not net[12].has_path_to(10) and net[10].has_path_to(12))`, true)
	check(`always("p", lambda net: net[10] in {net[10]: 1} and net[10] == net.motes[0] and net[10].net == net)`, true)
	v.lit, v.now = 5, 3_000_000_000_000
	check(`always("p", lambda net: net[10].leds == 5 and net[10].led(2) and not net[10].led(1))`, true)
	check(`always("p", lambda net: net.time == ps("3s") and net[10].time <= ps("3s"))`, true)
	// A parent chain, as in T-Check's properties of tree routing.
	chain := `
def loops(n):
    seen = set()
    while n.id not in seen:
        seen.add(n.id)
        if n.var("u8") == 10: return False
        n = n.net[n.var("u8")]
    return True
always("no loops", each(lambda n: not loops(n)))`
	for i, parent := range []int64{10, 10, 11, 12} {
		v.set(t, i, "u8", parent)
	}
	check(chain, true)
	v.set(t, 1, "u8", 12)
	check(chain, false, 1, 2)
}

// TestAtLine evaluates for the mote that is at the line.
func TestAtLine(t *testing.T) {
	v := newFake(t, 2)
	v.set(t, 1, "u8", 3)
	p := property(t, `at_line("relay.c", 3, lambda n: n.var("u8") == n.net[0].var("u8"))`)
	if !p.PerMote() || p.Kind != AtLine {
		t.Errorf("%+v", p)
	}
	e := NewEvaluator()
	for i, want := range []bool{true, false} {
		got, err := e.EvaluateAt(p, v, i)
		if err != nil || got.Holds != want {
			t.Errorf("mote %d: %+v %v", i, got, err)
		}
	}
}

// TestReads wants what was read, and nothing else.
func TestReads(t *testing.T) {
	v := newFake(t, 3)
	addr := func(path string) uint32 {
		ref, err := v.im.Lookup(path)
		if err != nil {
			t.Fatal(err)
		}
		return ref.Addr
	}
	first, second, row, head := addr("first"), addr("second"), addr("row"), addr("head")
	for _, c := range []struct {
		decl string
		want ReadSet
	}{
		{`always("p", lambda net: net[1].var("u16") == 0)`, ReadSet{Memory: []Read{{1, addr("u16"), addr("u16") + 2}}}},
		{`always("p", lambda net: net[0].var("first").corner[1].y == -4)`, ReadSet{Memory: []Read{{0, first + 7, first + 9}}}},
		{`always("p", lambda net: net[2].var("row")[3] and net[2].var("row")[1])`, ReadSet{Memory: []Read{{2, row + 1, row + 2}, {2, row + 3, row + 4}}}},
		{`always("p", lambda net: len(net[2].var("row")) == 5)`, ReadSet{}},
		{`always("p", lambda net: [x for x in net[2].var("row")])`, ReadSet{Memory: []Read{{2, row, row + 5}}}},
		{`always("p", lambda net: net[0].var("head->next->corner")[0].x)`, ReadSet{Memory: []Read{
			{0, head, head + 2}, {0, first + 11, first + 13}, {0, second + 1, second + 3}}}},
		{`always("p", each(lambda n: n.var("SerialDispatcherP__0__receiveState").state))`, ReadSet{Facts: []Fact{{AspectAlive, 0, 0, 1}, {AspectAlive, 1, 0, 1}, {AspectAlive, 2, 0, 1}}, Memory: []Read{
			{0, addr("SerialDispatcherP__0__receiveState"), 0}, {1, addr("SerialDispatcherP__0__receiveState"), 0}, {2, addr("SerialDispatcherP__0__receiveState"), 0}}}},
		{`always("p", lambda net: net.time)`, ReadSet{Facts: []Fact{{AspectTime, 0, 0, 0}}}},
		{`always("p", lambda net: net[0].leds)`, ReadSet{Facts: []Fact{{AspectLEDs, 0, 0, 0}}}},
		{`always("p", lambda net: net[0].has_path_to(2))`, ReadSet{Facts: []Fact{{AspectAlive, 0, 0, 1}, {AspectAlive, 1, 0, 1}, {AspectAlive, 2, 0, 1},
			{AspectLinked, 0, 1, 1}, {AspectLinked, 0, 2, 0}, {AspectLinked, 1, 2, 1}}}},
		{`always("p", lambda net: net[1].hears(0) and net[1].hears(2))`, ReadSet{Facts: []Fact{{AspectAlive, 0, 0, 1}, {AspectAlive, 1, 0, 1},
			{AspectAlive, 2, 0, 1}, {AspectLinked, 0, 1, 1}, {AspectLinked, 2, 1, 1}}}},
		{`always("p", lambda net: net[2].frames_sent < net[1].frames_received)`, ReadSet{Facts: []Fact{{AspectSent, 2, 0, 20}, {AspectReceived, 1, 0, 100}}}},
		{`always("p", lambda net: net[0].var("in_flash"))`, ReadSet{}},
	} {
		for i, m := range c.want.Memory {
			if m.Hi == 0 {
				c.want.Memory[i].Hi = m.Lo + 1
			}
		}
		_, got, err := evaluate(property(t, c.decl), v)
		if err != nil && !strings.Contains(err.Error(), "return True or False") {
			t.Errorf("%s: %v", c.decl, err)
		}
		if fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s\n got %+v\nwant %+v", c.decl, got, c.want)
		}
	}
	s := ReadSet{Memory: []Read{{0, 10, 12}, {1, 5, 6}}}
	for _, c := range []struct {
		mote int
		addr uint32
		want bool
	}{{0, 9, false}, {0, 10, true}, {0, 11, true}, {0, 12, false}, {1, 4, false}, {1, 5, true}, {1, 6, false}, {2, 5, false}} {
		if s.has(c.mote, c.addr) != c.want {
			t.Errorf("Has(%d, %d) is %v", c.mote, c.addr, !c.want)
		}
	}
}

// TestReadsDecide changes every byte that is not in the read set: the verdict must stay.
func TestReadsDecide(t *testing.T) {
	p := property(t, `always("p", lambda net: net[0].var("head->next->corner")[1].x == 7 and net[1].var("packet").temp == -200)`)
	v := newFake(t, 2)
	e := NewEvaluator()
	before, err := e.Evaluate(p, v)
	if err != nil || !before.Holds {
		t.Fatal(before, err)
	}
	reads := e.Reads()
	for i, ram := range v.ram {
		for a := range ram {
			if !reads.has(i, uint32(a)) {
				ram[a] ^= 0x5A
			}
		}
	}
	if after, err := NewEvaluator().Evaluate(p, v); err != nil || !after.Holds {
		t.Error(after, err)
	}
}

// TestConcurrent evaluates the same properties on many goroutines, each with its own evaluator.
func TestConcurrent(t *testing.T) {
	s := load1(t, `
limit = {"u8": [200, 201]}
def fine(n): return n.var("u8") in limit["u8"]
always("a", each(fine))
always("b", lambda net: [n.var("first").corner[0].x for n in net] == [1] * len(net))`)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			e, v := NewEvaluator(), newFake(t, 8)
			for range 200 {
				for i := range s.Properties {
					if verdict, err := e.Evaluate(&s.Properties[i], v); err != nil || !verdict.Holds {
						t.Error(verdict, err)
					}
				}
			}
		})
	}
	group.Wait()
}

// TestOtherImages gives an evaluator motes with other firmware between evaluations, one without debug information.
func TestOtherImages(t *testing.T) {
	data, err := os.ReadFile("../../firmware/image/testdata/types-nodebug.elf")
	if err != nil {
		t.Fatal(err)
	}
	bare, err := image.Parse("bare.elf", data)
	if err != nil {
		t.Fatal(err)
	}
	e, v := NewEvaluator(), newFake(t, 2)
	p := property(t, `always("p", each(lambda n: n.var("u16") == 54321))`)
	full := v.im
	for _, im := range []*image.Image{full, bare, full} {
		v.im = im
		if verdict, err := e.Evaluate(p, v); err != nil || !verdict.Holds {
			t.Errorf("%s: %+v %v", im.Path, verdict, err)
		}
	}
}

// BenchmarkProperty is a property over eight motes, as in T-Check's Table 1.
func BenchmarkProperty(b *testing.B) {
	for name, declaration := range map[string]string{
		"number": `always("p", each(lambda n: n.var("u8") == 200))`,
		"struct": `
def unlocked(n):
    s = n.var("SerialDispatcherP__0__receiveState")
    return not s.bufZeroLocked and s.bufOneLocked
always("p", each(unlocked))`,
		"network": `always("p", lambda net: net[1].var("u8") == 200)`,
	} {
		b.Run(name, func(b *testing.B) {
			p, v, e := property(b, declaration), newFake(b, 8), NewEvaluator()
			b.ReportAllocs()
			for b.Loop() {
				if verdict, err := e.Evaluate(p, v); err != nil || !verdict.Holds {
					b.Fatal(verdict, err)
				}
			}
		})
	}
}
