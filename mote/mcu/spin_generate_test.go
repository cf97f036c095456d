package mcu

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// loopText is a program of generated loops, as assembly for avr-gcc. Loop i begins at the symbol loop<i>, and never ends: the last thing that it does is
// to wait for ever.
func loopText(r *rand.Rand, n int) string {
	var b strings.Builder
	b.WriteString(loopHeader)
	for i := range n {
		fmt.Fprintf(&b, "\t.global loop%d\n\t.type loop%d, @function\nloop%d:\n", i, i, i)
		b.WriteString(loopPrelude(r))
		kind := loopKinds[i%len(loopKinds)]
		for line := range strings.SplitSeq(strings.TrimSpace(kind(r)), "\n") {
			b.WriteString("\t" + strings.TrimSpace(line) + "\n")
		}
		b.WriteString("\tinc r2\n8:\tnop\n\trjmp 8b\n")
	}
	return b.String()
}

// loopHeader has the registers of both kinds of chips by the same names, a handler that counts overflows of timer 0, and functions to call.
const loopHeader = `
#include <avr/io.h>
#define M(r) _SFR_MEM_ADDR(r)
#ifdef TIMSK
#define TIMSK0 TIMSK
#define TIFR0 TIFR
#define TCCR0B TCCR0
#define OVF TIMER0_OVF_vect
#else
#define OVF TIMER0_OVF_vect
#endif
	.text
	.global main
main:	rjmp main
	.global OVF
OVF:	push r24
	in r24, _SFR_IO_ADDR(SREG)
	push r24
	push r25
	lds r24, ticks
	lds r25, ticks+1
	adiw r24, 1
	sts ticks, r24
	sts ticks+1, r25
	sts flag, r24
	pop r25
	pop r24
	out _SFR_IO_ADDR(SREG), r24
	pop r24
	reti
nothing:
	ret
fetch:	push r28
	push r29
	in r20, _SFR_IO_ADDR(SREG)
	cli
	lds r24, ticks
	lds r25, ticks+1
	out _SFR_IO_ADDR(SREG), r20
	pop r29
	pop r28
	ret
micros:	in r20, _SFR_IO_ADDR(SREG)
	cli
	lds r24, ticks
	lds r25, ticks+1
	clr r26
	lds r18, M(TCNT0)
	lds r19, M(TIFR0)
	out _SFR_IO_ADDR(SREG), r20
	sbrs r19, TOV0
	rjmp 1f
	cpi r18, 255
	breq 1f
	adiw r24, 1
1:	clr r23
	mov r26, r25
	mov r25, r24
	mov r24, r18
	mov r27, r23
	ldi r18, 2
2:	lsl r24
	rol r25
	rol r26
	rol r27
	dec r18
	brne 2b
	ret
	.comm ticks, 2
	.comm flag, 1
	.comm count, 4
	.text
`

// loopPrelude sets registers, timer 0 with its interrupt or without, and timer 1.
func loopPrelude(r *rand.Rand) string {
	var b strings.Builder
	for reg := 16; reg < 32; reg++ {
		fmt.Fprintf(&b, "\tldi r%d, %d\n", reg, r.IntN(256))
	}
	fmt.Fprintf(&b, "\tldi r16, %d\n\tsts M(TCCR0B), r16\n", 1+r.IntN(3))
	fmt.Fprintf(&b, "\tldi r16, %d\n\tsts M(TCCR1B), r16\n", 1+r.IntN(3))
	if r.IntN(2) == 0 {
		b.WriteString("\tldi r16, 1 << TOIE0\n\tsts M(TIMSK0), r16\n\tsei\n")
	}
	b.WriteString("\tclr r1\n")
	return b.String()
}

// loopKinds are the kinds of loops.
var loopKinds = []func(r *rand.Rand) string{
	func(r *rand.Rand) string { return "1:\t" + nops(r) + "dec r24\nbrne 1b" },
	func(r *rand.Rand) string { return "1:\t" + nops(r) + "sbiw r24, 1\nbrne 1b" },
	func(r *rand.Rand) string { return "1:\tsubi r24, 1\nsbci r25, 0\nsbci r26, 0\n" + nops(r) + "brcc 1b" },
	func(r *rand.Rand) string {
		return "clr r27\n1:\tsubi r24, 1\nsbci r25, 0\nsbci r26, 0\nsbci r27, 0\nbrne 1b"
	},
	func(r *rand.Rand) string {
		return fmt.Sprintf("clr r24\nclr r25\n1:\tadiw r24, %d\ncpi r24, %d\nldi r18, %d\ncpc r25, r18\n%s 1b", 1+r.IntN(3), r.IntN(256), r.IntN(128),
			pick(r.IntN(2) == 0, "brcs", "brlt"))
	},
	func(r *rand.Rand) string { // nested
		return fmt.Sprintf("1:\tldi r20, %d\n2:\tldi r21, %d\n3:\tdec r21\nbrne 3b\ndec r20\nbrne 2b\ndec r19\nbrne 1b", 1+r.IntN(255), 1+r.IntN(255))
	},
	func(*rand.Rand) string { return "1:\tlds r24, flag\ncpi r24, 9\nbrne 1b" },
	func(*rand.Rand) string { return "1:\tcall nothing\ncall fetch\nsbiw r24, 7\nbrcs 1b" },
	func(r *rand.Rand) string {
		return fmt.Sprintf("1:\tlds r24, M(TCNT0)\ncpi r24, %d\n%s 1b\nlds r24, flag\ncpi r24, 20\nbrcs 1b", r.IntN(256), pick(r.IntN(2) == 0, "brcs", "brne"))
	},
	func(*rand.Rand) string { return "1:\tlds r24, M(TIFR0)\nsbrs r24, TOV0\nrjmp 1b" },
	func(r *rand.Rand) string { // how often does timer 1 wrap
		return fmt.Sprintf("ldi r17, 3\nlds r24, M(TCNT1L)\nlds r25, M(TCNT1H)\n1:\tlds r22, M(TCNT1L)\nlds r23, M(TCNT1H)\n%scp r22, r24\ncpc r23, r25\n"+
			"brcc 2f\ndec r17\n2:\tmovw r24, r22\ntst r17\nbrne 1b", nops(r))
	},
	func(r *rand.Rand) string { // ... and timer 0
		return "ldi r16, 1\nsts M(TCCR0B), r16\nldi r17, 9\nlds r24, M(TCNT0)\n1:\tlds r22, M(TCNT0)\n" + nops(r) + "cp r22, r24\nbrcc 2f\ndec r17\n2:\tmov r24, r22\n" +
			"tst r17\nbrne 1b"
	},
	func(r *rand.Rand) string { // wait for so many microseconds, and again
		return fmt.Sprintf("call micros\nmovw r12, r24\nmovw r14, r26\nldi r17, 5\n1:\tcall nothing\ncall micros\nsub r24, r12\nsbc r25, r13\nsbc r26, r14\n"+
			"sbc r27, r15\ncpi r24, %d\nldi r18, %d\ncpc r25, r18\ncpc r26, r1\ncpc r27, r1\nbrcs 1b\nldi r18, %d\nadd r12, r18\nadc r13, r1\nadc r14, r1\nadc r15, r1\n"+
			"dec r17\nbrne 1b", r.IntN(256), r.IntN(16), r.IntN(256))
	},
	func(*rand.Rand) string { // echo
		return "ldi r16, 5\nsts M(UBRR0L), r16\nldi r16, (1 << RXEN0) | (1 << TXEN0)\nsts M(UCSR0B), r16\n1:\tlds r24, M(UCSR0A)\nsbrs r24, RXC0\nrjmp 1b\n" +
			"lds r25, M(UDR0)\n2:\tlds r24, M(UCSR0A)\nsbrs r24, UDRE0\nrjmp 2b\nsts M(UDR0), r25\nrjmp 1b"
	},
	func(r *rand.Rand) string { // a counter in memory
		return "1:\tlds r24, count\nlds r25, count+1\nadiw r24, 1\nsts count+1, r25\nsts count, r24\n" + nops(r) + "wdr\ncpi r25, 200\nbrne 1b"
	},
	func(r *rand.Rand) string { // a pin that is set again and again, and one that is waited for
		return "sbi _SFR_IO_ADDR(DDRB), 1\n1:\tsbi _SFR_IO_ADDR(PORTB), 1\nin r24, _SFR_IO_ADDR(PINB)\nsbrs r24, 2\nrjmp 1b\ninc r3\n" + nops(r) + "rjmp 1b"
	},
	randomLoop, randomLoop, randomLoop, randomLoop,
}

func nops(r *rand.Rand) string { return strings.Repeat("nop\n", r.IntN(4)) }

// randomLoop is a loop of instructions that have little to do with one another.
func randomLoop(r *rand.Rand) string {
	var b strings.Builder
	b.WriteString("1:\n")
	high := func() int { return 16 + r.IntN(10) }
	for range 2 + r.IntN(7) {
		two := []string{"add", "adc", "sub", "sbc", "cp", "cpc", "mov", "eor", "and", "or"}
		one := []string{"inc", "dec", "com", "neg", "lsr", "ror", "swap"}
		switch r.IntN(14) {
		case 0, 1, 2:
			fmt.Fprintf(&b, "%s r%d, r%d\n", two[r.IntN(len(two))], high(), high())
		case 3:
			fmt.Fprintf(&b, "%s r%d\n", one[r.IntN(len(one))], high())
		case 4, 5:
			fmt.Fprintf(&b, "%s r%d, %d\n", []string{"subi", "sbci", "cpi", "andi", "ori"}[r.IntN(5)], high(), pickInt(r, 0, 1, 255, r.IntN(256)))
		case 6:
			fmt.Fprintf(&b, "%s r24, %d\n", pick(r.IntN(2) == 0, "adiw", "sbiw"), r.IntN(4))
		case 7:
			fmt.Fprintf(&b, "subi r%d, 1\nsbci r%d, 0\n", 16+2*r.IntN(4), 17+2*r.IntN(4))
		case 8:
			fmt.Fprintf(&b, "lds r%d, M(TCNT0)\n", high())
		case 9:
			fmt.Fprintf(&b, "lds r%d, count+%d\n", high(), r.IntN(2))
		case 10:
			fmt.Fprintf(&b, "sts count+%d, r%d\n", r.IntN(2), high())
		case 11:
			fmt.Fprintf(&b, "%s r%d, %d\nnop\n", pick(r.IntN(2) == 0, "sbrs", "sbrc"), high(), r.IntN(8))
		case 12:
			fmt.Fprintf(&b, "lds r%d, flag\n", high())
		case 13:
			fmt.Fprintf(&b, "push r%d\nin r19, _SFR_IO_ADDR(SREG)\npop r%d\nout _SFR_IO_ADDR(SREG), r19\n", high(), high())
		}
	}
	branches := []string{"brne", "breq", "brcs", "brcc", "brlt", "brge", "brmi", "brpl", "rjmp", "rjmp", "brne", "brcc"}
	fmt.Fprintf(&b, "%s 1b", branches[r.IntN(len(branches))])
	return b.String()
}

func pickInt(r *rand.Rand, of ...int) int { return of[r.IntN(len(of))] }
