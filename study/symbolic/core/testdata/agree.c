/* Programs of which all inputs are tried: a function of two bytes, one for each CASE. The answer is in out when the mote sleeps for ever. */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/pgmspace.h>
#include <avr/sleep.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "motehound.h"

uint8_t in[2];
uint32_t out;
volatile uint8_t ticks;

#if CASE == 1 /* comparisons of all widths */
static uint32_t f(uint8_t a, uint8_t b) {
	uint16_t w = a << 8 | b;
	int16_t s = (int16_t)w;
	int32_t l = (int32_t)s * 3;
	if (w < 1000) return 1;
	if (s < -300) return 2;
	if (l > 70000) return 3;
	if ((int8_t)a > (int8_t)b) return 4;
	return a == b ? 5 : 6;
}
#elif CASE == 2 /* a switch with a table of jumps */
static uint32_t f(uint8_t a, uint8_t b) {
	switch (a & 15) {
	case 0: return b + 1;
	case 1: return b ^ 0x55;
	case 2: return b * 3;
	case 3: return (uint16_t)b << 3;
	case 4: return b > 100;
	case 5: return 77;
	case 6: return b >> 2;
	case 7: return ~b;
	case 9: return b & a;
	}
	return 0;
}
#elif CASE == 3 /* an index into a table in SRAM */
static uint16_t table[12] = {7, 5, 3, 700, 11, 2, 9, 1300, 4, 8, 6, 10};
static uint32_t f(uint8_t a, uint8_t b) {
	uint16_t v = table[a % 12 == 5 ? 0 : (a & 7)];
	if (v > 100) return v + b;
	return v * 2;
}
#elif CASE == 4 /* an index into a table in flash */
static const uint8_t table[64] PROGMEM = {9, 1, 8, 2, 7, 3, 6, 4, 5, 19, 11, 18, 12, 17, 13, 16};
static uint32_t f(uint8_t a, uint8_t b) {
	uint8_t v = pgm_read_byte(&table[a & 63]);
	return v > 10 ? v + b : v;
}
#elif CASE == 5 /* a store at an index */
static uint8_t room[9];
static uint32_t f(uint8_t a, uint8_t b) {
	uint8_t i, n = 0;
	room[a & 7] = b;
	room[8] = a;
	for (i = 0; i < 8; i++)
		if (room[i] > 200) n++;
	return n * 256 + room[3] + room[8];
}
#elif CASE == 6 /* the Internet checksum, which branches at each carry */
static uint8_t packet[20] = {0x45, 0, 0, 20, 1, 2, 0x40, 0, 64, 17};
static uint32_t f(uint8_t a, uint8_t b) {
	uint16_t sum = 0, t;
	uint8_t i;
	packet[12] = a;
	packet[17] = b;
	packet[18] = a ^ b;
	for (i = 0; i < 20; i += 2) {
		t = (uint16_t)packet[i] << 8 | packet[i + 1];
		sum += t;
		if (sum < t) sum++;
	}
	return (uint16_t)~sum;
}
#elif CASE == 7 /* function pointers */
static uint8_t p(uint8_t x) { return x + 1; }
static uint8_t q(uint8_t x) { return x * 2; }
static uint8_t r(uint8_t x) { return x ^ 0xF0; }
static uint8_t (*const volatile fs[3])(uint8_t) = {p, q, r};
static uint32_t f(uint8_t a, uint8_t b) { return a < 3 ? fs[a](b) : 99; }
#elif CASE == 8 /* shifts by a variable distance, and bits */
static uint32_t f(uint8_t a, uint8_t b) {
	uint16_t v = (uint16_t)b << (a & 7);
	uint8_t w = 0;
	if (a & 0x10) w |= 1;
	if (b & 0x80) w |= 0x20;
	return v ^ ((uint32_t)w << 16);
}
#elif CASE == 9 /* strings */
static char word[3];
static uint32_t f(uint8_t a, uint8_t b) {
	word[0] = a;
	word[1] = b;
	if (strcmp(word, "ok") == 0) return 1;
	if (strlen(word) == 1) return 2;
	return atoi(word);
}
#elif CASE == 10 /* division, a loop of libgcc */
static uint32_t f(uint8_t a, uint8_t b) {
	uint8_t d = (b & 3) + 1;
	return a / d * 256 + a % d;
}
#elif CASE == 11 /* interrupts that come at any time, while symbolic values are in registers and flags */
static uint32_t f(uint8_t a, uint8_t b) {
	uint16_t s = 0;
	uint8_t i;
	sei();
	for (i = 0; i < 12; i++) {
		s += a;
		if (s > 1500) s = b;
	}
	cli();
	return s + (ticks > 4 ? 0x10000 : 0);
}
#elif CASE == 12 /* a frame of its own, arithmetic of 32 bits, multiplication */
static uint32_t f(uint8_t a, uint8_t b) {
	volatile uint32_t x = 0x01010101;
	x *= a;
	x -= (uint32_t)b << 20;
	if (x & 0x80000000) x = -x;
	return x;
}
#elif CASE == 13 /* what assumptions leave out */
static uint32_t f(uint8_t a, uint8_t b) {
	mh_assume(a < 20);
	mh_assume(b != a);
	return a > b ? a - b : 1000 + b - a;
}
#elif CASE == 14 /* a byte that decides what a device does */
static uint32_t f(uint8_t a, uint8_t b) {
	OCR0 = a & 3;
	PORTB = b & 1;
	return OCR0 + PORTB * 16;
}
#endif

ISR(TIMER0_COMP_vect) { ticks++; }

int main(void) {
	OCR0 = 50;
	TIMSK = _BV(OCIE0);
	TCCR0 = _BV(WGM01) | _BV(CS00);
	mh_symbolic(in, sizeof in, "in");
	out = f(in[0], in[1]);
	cli();
	sleep_enable();
	sleep_cpu();
	for (;;)
		;
}
