/* Jumps and calls whose targets are worked out, in the ways that C has for them. All of it runs in each round of main. */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/pgmspace.h>
#include <setjmp.h>

volatile unsigned char out[16];
volatile unsigned int rounds;

#define KEEP __attribute__((noinline, noclone))

KEEP static void small(unsigned char i)
{
	switch (i) {
	case 0: out[0] += 3; break;
	case 1: out[1] ^= i; break;
	case 2: out[2]++; /* and on */
	case 3: out[3] -= 5; break;
	case 4: out[4] = out[5] + 1; break;
	case 5: out[5] = out[4] * 3; break;
	case 6: return;
	case 7: out[6] = ~out[7]; break;
	case 9: out[7] |= 4; break;
	default: out[8]++;
	}
}

KEEP static long wide(long x)
{
	switch (x) {
	case -3: return 70000 + out[0];
	case -2: return out[1] * 300L;
	case -1: return out[2];
	case 0: return out[3] - 9;
	case 1: out[9]++; return 1;
	case 2: out[10]--; return 2;
	case 3: return x << out[1];
	case 4: return out[4] ? 4 : 5;
	}
	return 0;
}

/* Most cases of a large table. */
#define C(n) case 1000 + n: out[n % 16] += n % 13 + 1; out[(n + 5) % 16] ^= n % 7; break;
#define C4(n) C(n) C(n + 1) C(n + 2) C(n + 3)
#define C16(n) C4(n) C4(n + 4) C4(n + 8) C4(n + 12)
#define C64(n) C16(n) C16(n + 16) C16(n + 32) C16(n + 48)
KEEP static void large(unsigned int i)
{
	switch (i) { C64(0) C64(64) C64(128) C64(192) C64(256) }
}

/* A switch in a switch, with an index in memory. */
KEEP static void nested(volatile unsigned char *a, volatile unsigned char *b)
{
	switch (*a & 7) {
	case 0: out[0]++; break;
	case 1: out[1]++; break;
	case 2:
		switch (*b) {
		case 10: out[2] ^= 1; break;
		case 11: out[3] ^= 2; break;
		case 12: out[4] ^= 3; break;
		case 13: out[5] ^= 4; break;
		case 14: out[6] ^= 5; break;
		case 15: out[7] ^= 6; break;
		case 16: out[8] ^= 7; break;
		}
		break;
	case 3: out[9]++; break;
	case 4: out[10]++; break;
	case 5: out[11] += *b; break;
	case 6: out[12] -= *b; break;
	case 7: out[13] = 0; break;
	}
}

KEEP static int gotos(const unsigned char *p)
{
	static void *const table[] = {&&plus, &&minus, &&twist, &&end};
	int r = 0;
	goto *table[*p++ & 3];
plus:
	r += out[1];
	goto *table[*p++ & 3];
minus:
	r -= out[2];
	goto *table[*p++ & 3];
twist:
	r ^= 0x55;
	goto *table[*p++ & 3];
end:
	return r;
}

/* A thread without a stack, that goes on where it was. */
static void *at;
KEEP static void thread(void)
{
	if (at)
		goto *at;
	out[0] = 1;
	at = &&second;
	return;
second:
	out[0] = 2;
	at = &&third;
	return;
third:
	out[0] = 3;
	at = 0;
}

static void a(void) { out[11]++; }
static void b(void) { out[12] += 2; }
static void c(void) { out[13] += 3; }
static void d(void) { out[14] += 5; }
static void e(void) { out[15] ^= 9; }
typedef void (*function)(void);
static function volatile ram[] = {a, b};
static const function PROGMEM flash[] = {c, d};
static struct { unsigned char odd; function call; } volatile record = {1, e};

KEEP static void tail(unsigned char i) { ram[i & 1](); }

static jmp_buf back;
KEEP static void leave(int x)
{
	if (x & 1)
		longjmp(back, x);
	out[5]--;
}

ISR(BADISR_vect) { out[3]++; }

ISR(TIMER0_OVF_vect)
{
	static unsigned char n;
	small(n++ & 15);
	record.call();
}

int main(void)
{
	static const unsigned char path[] = {0, 1, 2, 0, 2, 1, 1, 0, 3};
#ifdef TIMSK
	TIMSK = 1 << TOIE0;
#else
	TIMSK0 = 1 << TOIE0;
#endif
#ifdef TCCR0B
	TCCR0B = 2;
#else
	TCCR0 = 2;
#endif
	sei();
	for (;;) {
		for (unsigned char i = 0; i < 12; i++) {
			small(i);
			wide((long)i - 4);
			out[14] = i, out[15] = i + 8;
			nested(&out[14], &out[15]);
			tail(i);
			((function)pgm_read_word(&flash[i & 1]))();
		}
		out[14] = 2;
		for (out[15] = 9; out[15] < 18; out[15]++)
			nested(&out[14], &out[15]);
		for (unsigned int i = 990; i < 1330; i++)
			large(i);
		gotos(path);
		thread();
		if (setjmp(back) == 0)
			leave(rounds);
		rounds++;
	}
}
