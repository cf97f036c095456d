package simavr

import "testing"

// The same for what surrounds the core, in the native mode. All on an
// ATmega328P with handlers that stand still at their vectors.

const (
	compA = 0x38 // TIMER0_COMPA_vect
	ovf   = 0x40 // TIMER0_OVF_vect
)

// pending leaves TIMER0's overflow (and with OCR0A = 0 also its compare match,
// when enabled in r16) pending, with interrupts off.
const pending = `
	jmp start
	.org 0x38
	nop
	reti
	.org 0x40
	nop
	reti
	.org 0x80
start:
	ldi r16, TIMSK
	sts TIMSK0, r16
	ldi r16, 1
	out TCCR0B, r16
	ldi r17, 120
1:	dec r17
	brne 1b
	ldi r16, 0
	out TCCR0B, r16
`

func TestInterruptEntry(t *testing.T) {
	t.Parallel()
	for _, enable := range []string{"sei", "out SREG, r20"} {
		p, s := native(t, "atmega328p", "#define TIMSK 1\n"+pending+`
		ldi r20, 0x80
		`+enable+`
		nop
		nop
		nop
		nop
	loop:	rjmp loop`, 500)
		at := reached(s, ovf)
		if at < 0 {
			t.Fatal("the interrupt is never served")
		}
		// I is set at index at-2: two instructions run after that one, not one,
		// and entering the interrupt adds nothing to the cycle of the second.
		if s[at-2].SREG&flagI == 0 || s[at-3].SREG&flagI != 0 {
			t.Errorf("instructions after %s: %v", enable, s[at-3:at+1])
		}
		if cost := s[at].Cycle - s[at-1].Cycle; cost != 1 {
			t.Errorf("the nop and the interrupt take %d cycles", cost)
		}
		ret, err := p.Read(Data, uint32(s[at].SP)+1, 2)
		if want := s[at-1].PC + 2; err != nil || s[at].SP != s[at-1].SP-2 || (uint32(ret[0])<<8|uint32(ret[1]))*2 != want {
			t.Errorf("return address % x, want %#x; %v", ret, want, err)
		}
	}
}

func TestRETIDelay(t *testing.T) {
	t.Parallel()
	_, s := native(t, "atmega328p", "#define TIMSK 3\n"+pending+`
		sei
	loop:	nop
		nop
		nop
		nop
		rjmp loop`, 500)
	first, second := reached(s, compA), reached(s, ovf)
	if first < 0 || second < 0 {
		t.Fatal("not both interrupts are served")
	}
	// nop, reti, then instructions of the loop up to the one that ends at ovf.
	if between := second - first - 2; between != 2 {
		t.Errorf("%d instructions between reti and the next interrupt", between)
	}
}

func TestSleepBeforeCLILosesTheInterrupt(t *testing.T) {
	t.Parallel()
	_, s := native(t, "atmega328p", "#define TIMSK 1\n"+pending+`
		sei
		sleep
		cli
	loop:	rjmp loop`, 500)
	if at := reached(s, ovf); at >= 0 || len(s) != 500 {
		t.Errorf("%d samples, handler at %d", len(s), at)
	}
}

func TestLateEnableServesNothing(t *testing.T) {
	t.Parallel()
	_, s := native(t, "atmega328p", "#define TIMSK 0\n"+pending+`
		in r18, TIFR0
		ldi r16, 1
		sts TIMSK0, r16
		sei
	loop:	rjmp loop`, 500)
	if last := s[len(s)-1]; last.R[18]&1 != 1 || reached(s, ovf) >= 0 {
		t.Errorf("TIFR0 %#x, handler at %d", last.R[18], reached(s, ovf))
	}
}

func TestAnyWriteOfTIFRClearsAll(t *testing.T) {
	t.Parallel()
	_, s := native(t, "atmega328p", "#define TIMSK 0\n"+pending+`
		in r18, TIFR0
		ldi r16, 0
		out TIFR0, r16
		in r19, TIFR0
	loop:	rjmp loop`, 500)
	if last := s[len(s)-1]; last.R[18] != 7 || last.R[19] != 0 {
		t.Errorf("TIFR0 %#x, then %#x", last.R[18], last.R[19])
	}
}

func TestWakeUp(t *testing.T) {
	t.Parallel()
	_, s := native(t, "atmega328p", `
		jmp start
		.org 0x40
		nop
		.org 0x80
	start:	ldi r16, 1
		sts TIMSK0, r16
		sei
		out TCCR0B, r16
		sleep
	loop:	rjmp loop`, 20)
	// SMCR.SE was never set. The timer starts as OUT begins, in cycle
	// 3+1+2+1 = 7, overflows in 263, and the handler starts one cycle late
	// where the chip needs 4+4 more.
	at := reached(s, ovf+2)
	if at < 0 || s[at].Cycle-1 != 7+256+1 {
		t.Errorf("handler at %d: %v", at, s)
	}
}

func TestDeadSleepEnds(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]Stop{
		"cli\nsleep": StopDone,
		"sei\nsleep": StopDeadSleep,
		"ldi r16, 5\nout TCCR0B, r16\nsei\nsleep": StopDeadSleep, // a timer runs, no interrupt is enabled
	} {
		p := load(t, Spec{MCU: "atmega328p", Mode: Native, Flash: assemble(t, "atmega328p", source)})
		if r, err := p.Run(Limits{Instructions: 10}); err != nil || r.Stop != want || r.Ran > 4 {
			t.Errorf("%q: %+v, %v", source, r, err)
		}
	}
}

func TestVectorsDoNotMove(t *testing.T) {
	t.Parallel()
	_, s := native(t, "atmega328p", "#define TIMSK 1\n"+pending+`
		ldi r16, 1
		ldi r17, 2
		out MCUCR, r16
		out MCUCR, r17
		in r18, MCUCR
		sei
	loop:	rjmp loop`, 500)
	if last := s[len(s)-1]; last.R[18] != 2 || reached(s, ovf) < 0 {
		t.Errorf("MCUCR %#x, handler at %d", last.R[18], reached(s, ovf))
	}
}

func TestTimerCounter(t *testing.T) {
	t.Parallel()
	_, s := native(t, "atmega328p", `
		ldi r16, 1
		ldi r17, 200
		out TCNT0, r17   ; lost: starting sets TCNT0 to 0
		out TCCR0B, r16
		in r18, TCNT0
		in r19, TCNT0
		nop
		in r20, TCNT0
		ldi r17, 100
		out TCNT0, r17
		in r21, TCNT0
		ldi r17, 255
		out TCNT0, r17   ; TOP counts as 0
		in r22, TCNT0
		ldi r17, 2
		out TCCR0B, r17  ; another prescaler: back to 0
		in r23, TCNT0
		nop
		nop
		nop
		nop
		nop
		nop
		nop
		in r24, TCNT0
		out TCCR0B, r1   ; stopped: reads as 0
		in r25, TCNT0
	loop:	rjmp loop`, 40)
	got := s[len(s)-1].R[18:26]
	want := []uint8{1, 2, 4, 101, 1, 0, 1, 0}
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("TCNT0 reads %v, want %v", got, want)
		}
	}
}

func TestTimerWriteIsScaledByTOP(t *testing.T) {
	t.Parallel()
	_, s := native(t, "atmega328p", `
		ldi r16, 5       ; clk/1024
		out TCCR0B, r16
		ldi r16, 250
		out TCNT0, r16
	1:	sbis TIFR0, 0
		rjmp 1b
	done:	rjmp done`, 5000)
	// 256*1024 - 250*256*1024/255 cycles, where six ticks are 6144.
	at := reached(s, 12)
	if at < 0 {
		t.Fatal("TOV0 never rises")
	}
	if cycles := s[at].Cycle - s[2].Cycle; cycles < 5141 || cycles > 5147 {
		t.Errorf("the overflow comes after %d cycles", cycles)
	}
}

func TestSBIOnPINToggles(t *testing.T) {
	t.Parallel()
	source := `
		ldi r16, 0xff
		out DDRB, r16
		ldi r16, 0x0f
		out PORTB, r16
		sbi PINB, 7
		in r18, PORTB
	loop:	rjmp loop`
	_, s := native(t, "atmega328p", source, 20)
	if got := s[len(s)-1].R[18]; got != 0x80 {
		t.Errorf("ATmega328P: PORTB %#x", got)
	}
	_, s = native(t, "atmega128", `
		ldi r16, 0x0f
		out PORTB, r16
		ldi r16, 0x03
		out PINB, r16
		in r18, PORTB
	loop:	rjmp loop`, 20)
	if got := s[len(s)-1].R[18]; got != 0x0c {
		t.Errorf("ATmega128: PORTB %#x", got)
	}
}

func TestPageEraseStartsAtZ(t *testing.T) {
	t.Parallel()
	p, s := native(t, "atmega328p", `
		ldi r30, 0x10
		ldi r31, 0x10
		ldi r16, 3       ; PGERS, SELFPRGEN
		out SPMCSR, r16
		spm
		in r18, SPMCSR
	loop:	rjmp loop
		.org 0x1000
		.fill 256, 1, 0x11`, 20)
	flash, err := p.Read(Flash, 0x1000, 0x100)
	if err != nil {
		t.Fatal(err)
	}
	for i, b := range flash {
		if erased := i >= 0x10 && i < 0x90; erased != (b == 0xff) {
			t.Fatalf("flash 0x%x holds %#x", 0x1000+i, b)
		}
	}
	if spm := s[4]; spm.Cycle-s[3].Cycle != 1 || s[5].R[18]&0x41 != 0 {
		t.Errorf("spm: %v", s[3:6])
	}
}

func TestUARTTiming(t *testing.T) {
	t.Parallel()
	p, _ := native(t, "atmega328p", `
		ldi r16, 0x08    ; TXEN
		sts UCSR0B, r16
		ldi r16, 0x06    ; 8N1
		sts UCSR0C, r16
		ldi r16, 0
		sts UBRR0H, r16
		ldi r16, 9
		sts UBRR0L, r16
		ldi r17, 'a'
	next:	sts UDR0, r17
		inc r17
	1:	lds r16, UCSR0A
		sbrs r16, 5
		rjmp 1b
		rjmp next`, 4000)
	out, err := p.Output()
	if err != nil || len(out) < 4 {
		t.Fatalf("%v, %v", out, err)
	}
	// 11 bits of 16*(9+1) cycles before UDRE rises again, and up to 11 of polling.
	for i := 1; i < 4; i++ {
		if gap := out[i].Cycle - out[i-1].Cycle; gap < 1760 || gap > 1776 {
			t.Errorf("byte %d came %d cycles after the one before", i, gap)
		}
	}
	// It sends without TXEN too: reset leaves it set.
	p, _ = native(t, "atmega328p", "ldi r16, 'x'\nsts UDR0, r16\nloop: rjmp loop", 10)
	if out, err := p.Output(); err != nil || len(out) != 1 {
		t.Errorf("without TXEN: %v, %v", out, err)
	}
}

func TestUARTBaudNeedsUBRRL(t *testing.T) {
	t.Parallel()
	p, _ := native(t, "atmega328p", `
		ldi r16, 0x06
		sts UCSR0C, r16
		ldi r16, 9
		sts UBRR0L, r16
		ldi r16, 0x02    ; U2X, after UBRRL: without effect
		sts UCSR0A, r16
		ldi r16, 1       ; UBRRH, after UBRRL: without effect
		sts UBRR0H, r16
		ldi r17, 'a'
	next:	sts UDR0, r17
	1:	lds r16, UCSR0A
		sbrs r16, 5
		rjmp 1b
		rjmp next`, 4000)
	out, err := p.Output()
	if err != nil || len(out) < 3 {
		t.Fatalf("%v, %v", out, err)
	}
	if gap := out[2].Cycle - out[1].Cycle; gap < 1760 || gap > 1776 {
		t.Errorf("bytes are %d cycles apart", gap)
	}
}

func TestEEPROMTakesNoTime(t *testing.T) {
	t.Parallel()
	_, s := native(t, "atmega328p", `
		ldi r16, 5
		out EEARL, r16
		out EEDR, r16
		sbi EECR, 2      ; EEMPE
		sbi EECR, 1      ; EEPE
		in r18, EECR
		out EEDR, r1
		sbi EECR, 0      ; EERE
		in r19, EEDR
	loop:	rjmp loop`, 20)
	if last := s[len(s)-1]; last.R[18]&2 != 0 || last.R[19] != 5 {
		t.Errorf("EECR %#x, EEDR %#x", last.R[18], last.R[19])
	}
	if s[4].Cycle-s[3].Cycle != 2 || s[7].Cycle-s[6].Cycle != 2 {
		t.Errorf("the CPU is halted: %v", s[3:8])
	}
}

func TestSPITakes100Microseconds(t *testing.T) {
	t.Parallel()
	_, s := native(t, "atmega328p", `
		ldi r16, 0x50    ; SPE, MSTR, clk/4
		out SPCR, r16
		out SPDR, r16
	1:	in r16, SPSR
		sbrs r16, 7
		rjmp 1b
	done:	rjmp done`, 2000)
	at := reached(s, 12)
	if at < 0 {
		t.Fatal("SPIF never rises")
	}
	if cycles := s[at].Cycle - s[1].Cycle; cycles < 800 || cycles > 810 {
		t.Errorf("a transfer takes %d cycles", cycles)
	}
}
