package simavr

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
)

func TestHashIsMixOverTheTrace(t *testing.T) {
	t.Parallel()
	for _, mode := range []Mode{Bare, Native} {
		p := load(t, Spec{MCU: "atmega128", Frequency: 8_000_000, Mode: mode, ELF: crunch(t, "atmega128", "3")})
		states, err := p.Trace(5000)
		if err != nil || len(states) != 5000 {
			t.Fatalf("%d states, %v", len(states), err)
		}
		var want []uint64
		h := uint64(0)
		for i := range states {
			h = states[i].Mix(h)
			if (i+1)%1000 == 0 {
				want = append(want, h)
			}
		}
		if err := p.Restart(); err != nil {
			t.Fatal(err)
		}
		r, err := p.Run(Limits{Instructions: 5000, Hash: true, Block: 1000})
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(r.Blocks, want) || r.Hash != h || r.Status.State != states[4999] || r.Ran != 5000 || r.Stop != StopCount {
			t.Errorf("mode %d: %+v, want blocks %x", mode, r, want)
		}
	}
}

func TestProgramsEnd(t *testing.T) {
	t.Parallel()
	elf := crunch(t, "atmega128", "3")
	var ends []Report
	for _, mode := range []Mode{Bare, Native} {
		p := load(t, Spec{MCU: "atmega128", Frequency: 8_000_000, Mode: mode, ELF: elf})
		for range 2 {
			if err := p.Restart(); err != nil {
				t.Fatal(err)
			}
			r, err := p.Run(Limits{Instructions: 1 << 40, Hash: true})
			if err != nil {
				t.Fatal(err)
			}
			if r.Stop != StopDone || r.Status.CPU != Done {
				t.Errorf("mode %d: %+v", mode, r)
			}
			ends = append(ends, r)
		}
		sram, err := p.SRAM()
		if err != nil || len(sram) != 4096 || bytes.Equal(sram[0x100:0x200], make([]byte, 256)) {
			t.Errorf("SRAM of %d bytes, %v", len(sram), err)
		}
	}
	for _, r := range ends[1:] {
		if !reflect.DeepEqual(r, ends[0]) {
			t.Errorf("runs differ: %+v and %+v", ends[0], r)
		}
	}
}

func TestRunUntilCycle(t *testing.T) {
	t.Parallel()
	p := load(t, Spec{MCU: "atmega328p", Mode: Bare, Flash: []byte{0xff, 0xcf}}) // rjmp .-2
	r, err := p.Run(Limits{Cycle: 1001})
	if err != nil || r.Stop != StopCycle || r.Ran != 501 || r.Status.Cycle != 1002 {
		t.Errorf("%+v, %v", r, err)
	}
	// Beyond the flash's end simavr crashes where the chip would wrap.
	if err := p.SetState(State{PC: 0x8000}); err != nil {
		t.Fatal(err)
	}
	if r, err = p.Run(Limits{Instructions: 1}); err != nil || r.Stop != StopCrashed || r.Ran != 0 {
		t.Errorf("%+v, %v", r, err)
	}
}

const scripted = `
	jmp start
	.org 0x40        ; TIMER0_OVF
	inc r20
	reti
start:
	sbi 0x05, 3      ; PORTB: not in the log
	in r16, 0x03     ; PINB
	lds r17, 0xc6    ; UDR0
	sbis 0x03, 2
	inc r18
	sei
	nop
	nop
	sleep
	nop
	lpm r19, Z
loop:	rjmp loop
`

func TestScript(t *testing.T) {
	t.Parallel()
	p := load(t, Spec{MCU: "atmega328p", Mode: Scripted, Flash: assemble(t, "atmega328p", scripted)})
	err := p.Script([]Read{{0x23, 0x5a}, {0xc6, 0x77}, {0x23, 0x04}}, []Event{
		{At: 6, Kind: Interrupt, Target: 0x40, Cycles: 4},
		{At: 10, Kind: TakeCycles, Cycles: 1000},
		{At: 11, Kind: FlashWord, Target: 0, Word: 0x1234},
		{At: 12, Kind: Poke, Target: 0x300, Value: 9},
		{At: 13, Kind: Poke, Target: 0x5f, Value: flagT},
		{At: 14, Kind: Jump, Target: 0x40},
	})
	if err != nil {
		t.Fatal(err)
	}
	s, err := p.Trace(15)
	if err != nil || len(s) != 15 {
		t.Fatalf("%d states, %v", len(s), err)
	}
	if last := s[14]; last.R[16] != 0x5a || last.R[17] != 0x77 || last.R[18] != 0 || last.R[19] != 0x34 || last.R[20] != 2 || last.SREG&flagT == 0 || last.PC != 0x42 {
		t.Errorf("at the end: %v", &last)
	}
	// Instructions 0..5: jmp 3, sbi 2, in 1, lds 2, sbis 2, sei 1. Then the event
	// with its 4 cycles and inc: 16.
	if s[5].Cycle != 11 || s[6].PC != 0x42 || s[6].Cycle != 16 || s[6].SP != 0x8fd || s[6].SREG&flagI != 0 {
		t.Errorf("interrupt: %v then %v", &s[5], &s[6])
	}
	if s[9].Cycle != 22 || s[10].Cycle != 1023 {
		t.Errorf("sleep: %v then %v", &s[9], &s[10])
	}
	if m, err := p.Read(Data, 0x300, 1); err != nil || m[0] != 9 {
		t.Errorf("poked memory: %v, %v", m, err)
	}
}

func TestScriptDisagreements(t *testing.T) {
	t.Parallel()
	p := load(t, Spec{MCU: "atmega328p", Mode: Scripted, Flash: assemble(t, "atmega328p", scripted)})
	for want, reads := range map[string][]Read{
		"instruction 3 at 0x48 reads I/O 0xc6: the log has no more":             {{0x23, 1}},
		"instruction 3 at 0x48 reads I/O 0xc6: the log has a read of 0x25 next": {{0x23, 1}, {0x25, 1}},
	} {
		if err := p.Restart(); err != nil {
			t.Fatal(err)
		}
		if err := p.Script(reads, nil); err != nil {
			t.Fatal(err)
		}
		if _, err := p.Run(Limits{Instructions: 10}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
}

func TestNativeOutput(t *testing.T) {
	t.Parallel()
	p, _ := native(t, "atmega128", `
		ldi r16, 0x80
		out DDRB, r16
		ldi r16, 0x18    ; RXEN, TXEN
		out UCSR0B, r16
		ldi r16, 'H'
		out UDR0, r16
		ldi r17, 0x80
		out PORTB, r17
	wait:	sbis UCSR0A, 7
		rjmp wait
		in r18, UDR0
	loop:	rjmp loop`, 20)
	out, err := p.Output()
	if err != nil {
		t.Fatal(err)
	}
	want := []Output{{1, DDR, 'B', 0x80}, {5, UART, '0', 'H'}, {7, Port, 'B', 0x80}}
	if !reflect.DeepEqual(out, want) {
		t.Errorf("got %v, want %v", out, want)
	}
	if err := p.Send('0', []byte{0x42}); err != nil {
		t.Fatal(err)
	}
	r, err := p.Run(Limits{Cycle: 10000})
	if err != nil || r.Status.R[18] != 0x42 {
		t.Errorf("received %#x, %v", r.Status.R[18], err)
	}
	if err := p.Send('7', []byte{1}); err == nil {
		t.Error("sent to a UART that does not exist")
	}
}

// planted runs as a Program does, but has a wrong register after one instruction.
type planted struct {
	*Program
	at, ran uint64
	hash    uint64
	spoiled bool
}

func (p *planted) Restart() error {
	p.ran, p.hash, p.spoiled = 0, 0, false
	return p.Program.Restart()
}

func (p *planted) Trace(n uint64) ([]State, error) {
	states, err := p.Program.Trace(n)
	for i := range states {
		p.spoiled = p.spoiled || p.ran == p.at
		if p.spoiled {
			states[i].R[5] ^= 0x10
		}
		p.ran++
		p.hash = states[i].Mix(p.hash)
	}
	return states, err
}

func (p *planted) Hashes(n, block uint64) ([]uint64, error) {
	var all []uint64
	for done := uint64(0); done < n; {
		states, err := p.Trace(min(block, n-done))
		if err != nil || len(states) == 0 {
			return all, err
		}
		done += uint64(len(states))
		all = append(all, p.hash)
	}
	return all, nil
}

func TestFirstDifference(t *testing.T) {
	t.Parallel()
	spec := Spec{MCU: "atmega128", Mode: Bare, ELF: crunch(t, "atmega128", "1")}
	for _, at := range []uint64{0, 1, 999, 1000, 3456, 1 << 40} {
		d, err := FirstDifference(load(t, spec), &planted{Program: load(t, spec), at: at}, 1<<20, 1000)
		if err != nil {
			t.Fatal(err)
		}
		if at == 1<<40 {
			if d != nil {
				t.Errorf("nothing planted: %v", d)
			}
			continue
		}
		if d == nil || d.Instruction != at || d.A.R[5] != d.B.R[5]^0x10 {
			t.Errorf("planted at %d: %v", at, d)
		}
	}
}

func BenchmarkRun(b *testing.B) {
	elf := crunch(b, "atmega128", "5000")
	for _, k := range []struct {
		name string
		mode Mode
		hash bool
	}{{"bare", Bare, false}, {"bare-hash", Bare, true}, {"native", Native, false}, {"native-hash", Native, true}, {"scripted-hash", Scripted, true}} {
		b.Run(k.name, func(b *testing.B) {
			p := load(b, Spec{MCU: "atmega128", Frequency: 8_000_000, Mode: k.mode, ELF: elf})
			const n = 5_000_000
			total := 0
			for b.Loop() {
				if err := p.Restart(); err != nil {
					b.Fatal(err)
				}
				if _, err := p.Run(Limits{Instructions: n, Hash: k.hash}); err != nil {
					b.Fatal(err)
				}
				total += n
			}
			b.ReportMetric(float64(total)/b.Elapsed().Seconds()/1e6, "Minstr/s")
		})
	}
}

func BenchmarkStock(b *testing.B) {
	r := BenchRunner{Harness: Build(b), MCU: "atmega128", Frequency: 8_000_000}
	elf := crunch(b, "atmega128", "20000")
	for b.Loop() {
		res, err := r.Run(elf)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(res.Rate(res.Stock)/1e6, "stock-Minstr/s")
		b.ReportMetric(res.Rate(res.Loop)/1e6, "loop-Minstr/s")
		b.ReportMetric(res.Rate(res.Batched)/1e6, "batched-Minstr/s")
	}
}

func TestBenchRunner(t *testing.T) {
	t.Parallel()
	r := BenchRunner{Harness: Build(t), MCU: "atmega128", Frequency: 8_000_000}
	res, err := r.Run(crunch(t, "atmega128", "300"))
	if err != nil {
		t.Fatal(err)
	}
	if res.Instructions < 1_000_000 || res.Cycles <= res.Instructions || res.Stock <= 0 || res.Loop <= 0 || res.Batched <= 0 {
		t.Errorf("%+v", res)
	}
	if _, err := r.Run("absent.elf"); err == nil || !strings.Contains(err.Error(), "absent.elf") {
		t.Errorf("absent program: %v", err)
	}
}
