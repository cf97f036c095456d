package simavr

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

const (
	flagC = 1 << iota
	flagZ
	flagN
	flagV
	flagS
	flagH
	flagT
	flagI
)

func TestKnownAnswers(t *testing.T) {
	t.Parallel()
	c := openCases(t, "atmega128", Background{})
	add := Case{PC: 0x100, Code: []uint16{0x0f01}, SREG: flagT} // add r16, r17
	add.R[16], add.R[17] = 0x7f, 0x01
	r := one(t, c, add)
	if r.R[16] != 0x80 || r.SREG != flagT|flagH|flagV|flagN || r.PC != 0x102 || r.Cycles != 1 || r.CPU != Running || len(r.Changes) != 0 {
		t.Errorf("add 0x7f+1: %+v", r)
	}

	st := Case{Code: []uint16{0x930d}} // st X+, r16
	st.R[16], st.R[26], st.R[27] = 0xab, 0xff, 0x02
	r = one(t, c, st)
	if want := []Byte{{0x2ff, 0xab}}; !reflect.DeepEqual(r.Changes, want) || r.R[26] != 0 || r.R[27] != 3 || r.Cycles != 2 {
		t.Errorf("st X+: %+v", r)
	}

	ret := Case{SP: 0x500, Code: []uint16{0x9518}, Mem: []Byte{{0x501, 0x12}, {0x502, 0x34}}} // reti
	r = one(t, c, ret)
	if r.PC != 0x1234*2 || r.SP != 0x502 || r.SREG != flagI || r.Cycles != 4 || len(r.Changes) != 0 {
		t.Errorf("reti: %+v", r)
	}

	elpm := Case{RAMPZ: 1, Code: []uint16{0x9007}, Flash: []FlashByte{{0x1ffff, 0x5c}}} // elpm r0, Z+
	elpm.R[30], elpm.R[31] = 0xff, 0xff
	r = one(t, c, elpm)
	if want := []Byte{{c.Info.RAMPZ, 2}}; r.R[0] != 0x5c || r.R[30] != 0 || r.R[31] != 0 || !reflect.DeepEqual(r.Changes, want) || r.Cycles != 3 {
		t.Errorf("elpm Z+: %+v", r)
	}

	in := Case{Code: []uint16{0xb70f}, SREG: 0xa5} // in r16, SREG
	if r = one(t, c, in); r.R[16] != 0xa5 {
		t.Errorf("in SREG: %+v", r)
	}
}

func TestCallPushesThreeBytesOn22Bits(t *testing.T) {
	t.Parallel()
	c := openCases(t, "atmega2560", Background{})
	if c.Info.PCBytes != 3 || c.Info.EIND == 0 {
		t.Fatalf("info: %+v", c.Info)
	}
	r := one(t, c, Case{PC: 0x2abc8, SP: 0x21ff, Code: []uint16{0x940f, 0x1234}}) // call 0x11234
	want := []Byte{{0x21fd, 0x01}, {0x21fe, 0x55}, {0x21ff, 0xe6}}
	if r.PC != 0x11234*2 || r.SP != 0x21fc || r.Cycles != 5 || !reflect.DeepEqual(r.Changes, want) {
		t.Errorf("call: %+v", r)
	}
}

func TestBackground(t *testing.T) {
	t.Parallel()
	data := make([]byte, 0x900)
	for i := range data {
		data[i] = byte(i * 7)
	}
	c := openCases(t, "atmega328p", Background{Data: data, Flash: []byte{1, 2, 3, 4}})
	lds := Case{PC: 0x100, Code: []uint16{0x9100, 0x0345}}
	if r := one(t, c, lds); r.R[16] != data[0x345] {
		t.Errorf("lds: r16 = %#x", r.R[16])
	}
	// A case's own bytes, and what it changed, are gone in the next.
	sts := Case{PC: 0x100, Code: []uint16{0x9300, 0x0345}, Mem: []Byte{{0x346, 1}}}
	if r := one(t, c, sts); !reflect.DeepEqual(r.Changes, []Byte{{0x345, 0}}) {
		t.Errorf("sts: %+v", r)
	}
	if r := one(t, c, lds); r.R[16] != data[0x345] {
		t.Errorf("lds after sts: r16 = %#x", r.R[16])
	}
	lpm := Case{PC: 0x100, Code: []uint16{0x95c8}}
	lpm.R[30] = 3
	if r := one(t, c, lpm); r.R[0] != 4 {
		t.Errorf("lpm: r0 = %d", r.R[0])
	}
}

func TestErrorsAreReported(t *testing.T) {
	t.Parallel()
	if _, err := Build(t).Cases("atmega9", Background{}); err == nil || !strings.Contains(err.Error(), `"atmega9"`) {
		t.Errorf("unknown MCU: %v", err)
	}
	if _, err := Build(t).Load(Spec{MCU: "atmega128", ELF: "kit_test.go"}); err == nil || !strings.Contains(err.Error(), "kit_test.go") {
		t.Errorf("not an ELF: %v", err)
	}
	if _, err := Build(t).Load(Spec{MCU: "atmega328p", Flash: make([]byte, 40000)}); err == nil || !strings.Contains(err.Error(), "do not fit") {
		t.Errorf("too big: %v", err)
	}
	c := openCases(t, "atmega128", Background{})
	for want, k := range map[string]Case{
		"case 0: code":          {PC: 0x1ffff},
		"case 0: flash byte":    {Flash: []FlashByte{{0x20000, 1}}},
		"case 0: memory byte":   {Mem: []Byte{{0x5f, 1}}},
		"not in flash":          {PC: 0x1fffe, Code: []uint16{1, 2}},
		"SP and SREG in their ": {Mem: []Byte{{3, 1}}},
	} {
		if _, err := c.One(k); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
	for _, bad := range [][]byte{{99}, {opCasesRun, 1, 2, 3}, {opRun}, {opTrace}, {opLoad, 9, 0}, {opSend, '0'}, {opRead}} {
		if _, err := c.call(bad[0], bad[1:]); err == nil {
			t.Errorf("request % x was taken", bad)
		}
	}
	if r := one(t, c, Case{Code: []uint16{0}}); r.PC != 2 {
		t.Errorf("after errors, nop: %+v", r)
	}
}

// A frame that cannot be one ends the harness, and says why.
func TestBrokenFrameKillsTheHarness(t *testing.T) {
	t.Parallel()
	p, err := Build(t).start()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.in.Write([]byte{0, 0, 0, 0, 1}); err != nil {
		t.Fatal(err)
	}
	if _, err := p.receive(); err == nil || !strings.Contains(err.Error(), "not a frame") {
		t.Errorf("got %v", err)
	}
}

func randomCases(n int, seed uint64) []Case {
	rnd := rand.New(rand.NewPCG(seed, 1))
	cases := make([]Case, n)
	for i := range cases {
		k := &cases[i]
		k.PC = rnd.Uint32N(0x8000) * 2
		k.Code = []uint16{uint16(rnd.Uint32()), uint16(rnd.Uint32()), uint16(rnd.Uint32())}
		for r := range k.R {
			k.R[r] = uint8(rnd.Uint32())
		}
		k.SREG, k.SP = uint8(rnd.Uint32()), uint16(rnd.Uint32N(0x1100))
		k.RAMPZ = uint8(rnd.Uint32N(2))
		k.Mem = []Byte{{uint16(0x100 + rnd.Uint32N(0x1000)), uint8(rnd.Uint32())}}
	}
	return cases
}

func TestCasesAreIndependentAndDeterministic(t *testing.T) {
	t.Parallel()
	cases := randomCases(20000, 7)
	c := openCases(t, "atmega128", Background{})
	a, b := make([]Result, len(cases)), make([]Result, len(cases))
	if err := c.Run(cases, a); err != nil {
		t.Fatal(err)
	}
	for i, j := 0, len(cases)-1; i < j; i, j = i+1, j-1 {
		cases[i], cases[j] = cases[j], cases[i]
	}
	if err := openCases(t, "atmega128", Background{}).Run(cases, b); err != nil {
		t.Fatal(err)
	}
	for i := range a {
		if x, y := a[i], b[len(b)-1-i]; !same(&x, &y) {
			t.Fatalf("case %d: %+v and in another order %+v", i, x, y)
		}
	}
}

func same(a, b *Result) bool {
	if len(a.Changes) == 0 && len(b.Changes) == 0 {
		x, y := *a, *b
		x.Changes, y.Changes = nil, nil
		return reflect.DeepEqual(x, y)
	}
	return reflect.DeepEqual(a, b)
}

func BenchmarkCases(b *testing.B) {
	for _, mcu := range []string{"atmega328p", "atmega128", "atmega2560"} {
		b.Run(mcu, func(b *testing.B) {
			c := openCases(b, mcu, Background{})
			cases := randomCases(16384, 3)
			for i := range cases {
				cases[i].PC %= 0x7f00
			}
			results := make([]Result, len(cases))
			n := 0
			for b.Loop() {
				if err := c.Run(cases, results); err != nil {
					b.Fatal(err)
				}
				n += len(cases)
			}
			b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "cases/s")
		})
	}
}
