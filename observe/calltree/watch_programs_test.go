package calltree_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// program writes random C programs. Every function says when it begins and ends, by macros that the test chooses: see
// prelude. Functions call only functions of greater numbers, or themselves with a smaller argument, so programs end.
type program struct {
	r     *rand.Rand
	b     strings.Builder
	costs []int // of functions, in calls
	n     int
	deep  int
	cost  int
	self  int
}

const prelude = `#include <avr/io.h>
#include <avr/interrupt.h>
#include <avr/sleep.h>
#include <stdint.h>
#define QUIET __attribute__((no_instrument_function))
#ifdef MARKS
#define SAY(port, n) __asm__ volatile("out %0, %1" :: "I" (_SFR_IO_ADDR(port)), "r" ((uint8_t)(n)))
#define IN(n) SAY(PORTA, n)
#define OUT(n) SAY(PORTB, n)
#define JUMP(n) SAY(PORTC, n)
#else
#define IN(n)
#define OUT(n)
#define JUMP(n)
#endif
#ifdef PROFILE
volatile uint8_t profiled;
QUIET __attribute__((noinline)) void __cyg_profile_func_enter(void *f, void *from) { profiled = 1; }
QUIET __attribute__((noinline)) void __cyg_profile_func_exit(void *f, void *from) { profiled = 2; }
#endif
volatile uint8_t in[8];
uint8_t g[8];
uint16_t h[8];
`

// newProgram writes a program of n functions.
func newProgram(seed uint64, n int) string {
	p := &program{r: rand.New(rand.NewPCG(seed, 7)), n: n, costs: make([]int, n)}
	var bodies []string
	for i := n - 1; i >= 0; i-- {
		bodies = append(bodies, p.function(i))
	}
	var all strings.Builder
	all.WriteString(prelude)
	for _, b := range bodies {
		all.WriteString(b)
	}
	fmt.Fprintf(&all, `
ISR(TIMER1_COMPA_vect) { IN(201); in[0] = in[0] * 5 + 3; in[1] += 7; in[2] ^= in[0]; f0(in[0] & 7, in[1]); OUT(201); }
ISR(TIMER3_COMPA_vect, ISR_NOBLOCK) { IN(202); in[3] = in[3] * 5 + 1; f1(in[3] & 3, in[1]); f0(1, in[3]); OUT(202); }
QUIET int main(void) {
	TCCR1B = _BV(WGM12) | _BV(CS10); OCR1A = 40009;
	TCCR3B = _BV(WGM32) | _BV(CS11); OCR3A = 12301;
	TIMSK = _BV(OCIE1A); ETIMSK = _BV(OCIE3A);
	sleep_enable();
	sei();
	for (;;) sleep_cpu();
}
`)
	return all.String()
}

func (p *program) function(i int) string {
	p.b.Reset()
	p.cost, p.self, p.deep = 1, i, 0
	kind := []string{"static inline __attribute__((always_inline))", "static", "static", "static __attribute__((noinline))", ""}[p.r.IntN(5)]
	recursive := i > 1 && p.r.IntN(6) == 0
	if recursive {
		kind = "static __attribute__((noinline))"
	}
	fmt.Fprintf(&p.b, "%s uint8_t f%d(uint8_t a, uint8_t b) {\n\tuint8_t x = a;\n\tIN(%d);\n", kind, i, i)
	for range 1 + p.r.IntN(4) {
		p.statement(1)
	}
	if recursive {
		p.line(1, "if (a & 3) x += f%d((a & 3) - 1, b);", i)
		p.cost *= 4
	}
	if j, ok := p.callee(); ok && !recursive && p.r.IntN(5) == 0 {
		p.line(1, "JUMP(%d);\n\treturn f%d(x, b);", i, j)
	} else {
		p.line(1, "OUT(%d);\n\treturn x;", i)
	}
	p.b.WriteString("}\n")
	p.costs[i] = p.cost
	return p.b.String()
}

func (p *program) line(indent int, format string, args ...any) {
	p.b.WriteString(strings.Repeat("\t", indent))
	fmt.Fprintf(&p.b, format, args...)
	p.b.WriteByte('\n')
}

// callee chooses a function that is not too much work, and counts it.
func (p *program) callee() (int, bool) {
	if p.self+1 >= p.n {
		return 0, false
	}
	j := p.self + 1 + p.r.IntN(min(p.n-p.self-1, 5))
	if p.cost+p.costs[j] > 300 {
		return 0, false
	}
	p.cost += p.costs[j]
	return j, true
}

func (p *program) expr() string {
	return []string{"x", "a", "b", "x + a", "g[x & 7]", "h[b & 7]", "in[2]", "x >> 1", "b ^ 0x5a", "a * b", "x - 3"}[p.r.IntN(11)]
}

func (p *program) statement(indent int) {
	p.deep++
	defer func() { p.deep-- }()
	choice := p.r.IntN(13)
	if p.deep > 3 {
		choice %= 5
	}
	switch choice {
	case 0:
		p.line(indent, "g[%d] = %s;", p.r.IntN(8), p.expr())
	case 1:
		p.line(indent, "h[%s & 7] += %s;", p.expr(), p.expr())
	case 2, 3, 4, 10, 11, 12:
		if j, ok := p.callee(); ok {
			p.line(indent, []string{"x += f%d(%s, %s);", "x = f%d(%s, %s);", "f%d(%s, %s);", "{ uint8_t (*volatile p)(uint8_t, uint8_t) = f%d; x += p(%s, %s); }"}[p.r.IntN(4)],
				j, p.expr(), p.expr())
		}
	case 5, 6:
		p.line(indent, "if (%s & %d) {", p.expr(), 1<<p.r.IntN(3))
		p.block(indent)
		if p.r.IntN(2) == 0 {
			p.line(indent, "} else {")
			p.block(indent)
		}
		p.line(indent, "}")
	case 7:
		p.loop(indent, fmt.Sprintf("for (uint8_t i%d = 0; i%d < %d; i%d++) {", p.deep, p.deep, 2+p.r.IntN(3), p.deep), 4)
	case 8:
		p.loop(indent, fmt.Sprintf("for (uint8_t i%d = in[%d] & 3; i%d; i%d--) {", p.deep, p.r.IntN(8), p.deep, p.deep), 3)
	case 9:
		p.line(indent, "switch (%s & 7) {", p.expr())
		for k := range 3 + p.r.IntN(5) {
			p.line(indent, "case %d:;", k)
			p.block(indent)
			if p.r.IntN(4) > 0 {
				p.line(indent+1, "break;")
			}
		}
		p.line(indent, "}")
	}
}

func (p *program) block(indent int) {
	for range 1 + p.r.IntN(2) {
		p.statement(indent + 1)
	}
}

func (p *program) loop(indent int, head string, times int) {
	before := p.cost
	p.line(indent, "%s", head)
	p.block(indent)
	p.line(indent, "}")
	p.cost = before + (p.cost-before)*times
}
