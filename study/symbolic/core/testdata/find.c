/* Programs with something to find, and without, one for each CASE. */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <stdint.h>
#include "motehound.h"

uint8_t x, y, limit = 10;
uint8_t before[4];
uint8_t buf[10];
uint8_t after[4];
volatile uint8_t out, got[4], n;

static void rest(void) {
	cli();
	sleep_enable();
	sleep_cpu();
	for (;;)
		;
}

__attribute__((noinline)) static uint8_t judge(uint8_t a) {
	if (a > 100) return 3;
	return a == 7 ? 2 : 1;
}

#if CASE == 1 /* an assertion that fails for one value, and goes on for the others */
int main(void) {
	mh_symbolic(&x, 1, "x");
	y = x * 3;
	mh_assert(y != 126);
	out = y;
	rest();
}
#elif CASE == 2 /* one that holds */
int main(void) {
	mh_symbolic(&x, 1, "x");
	mh_assume(x < 50);
	y = x * 3;
	mh_assert(y < 150);
	rest();
}
#elif CASE == 3 /* an index that nobody checks */
int main(void) {
	mh_symbolic(&x, 1, "x");
	out = buf[x];
	rest();
}
#elif CASE == 4 /* one that is checked badly */
int main(void) {
	mh_symbolic(&x, 1, "x");
	if (x <= limit) buf[x] = 1;
	rest();
}
#elif CASE == 5 /* one that is checked well */
int main(void) {
	mh_symbolic(&x, 1, "x");
	if (x < limit) buf[x] = 1;
	rest();
}
#elif CASE == 6 /* an offset that the compiler folds into the address */
int main(void) {
	mh_symbolic(&x, 1, "x");
	if (x >= 1 && x <= sizeof buf) out = buf[x - 1];
	rest();
}
#elif CASE == 7 /* a pointer that is input */
int main(void) {
	static uint8_t *p;
	mh_symbolic(&p, sizeof p, "p");
	out = *p;
	rest();
}
#elif CASE == 8 /* an input that the Config makes, at a function's entry */
uint8_t arg = 5;
int main(void) {
	out = judge(arg);
	rest();
}
#elif CASE == 9 /* bytes on a line: the first decides while the others arrive */
ISR(USART0_RX_vect) {
	uint8_t c = UDR0;
	got[n & 3] = c;
	n++;
	if (c < 10) out++;
	if (n == 4) rest();
}
int main(void) {
	UBRR0L = 8;
	UCSR0B = _BV(RXEN0) | _BV(RXCIE0) | _BV(TXEN0);
	sei();
	for (;;)
		;
}
#elif CASE == 10 /* a reading */
int main(void) {
	uint16_t v;
	ADMUX = 2;
	ADCSRA = _BV(ADEN) | _BV(ADSC);
	while (ADCSRA & _BV(ADSC))
		;
	v = ADC;
	if (v >= 700) out = 1;
	UBRR0L = 8;
	UCSR0B = _BV(TXEN0);
	UDR0 = v;
	while (!(UCSR0A & _BV(TXC0)))
		;
	rest();
}
#elif CASE == 11 /* an interrupt's return address where a symbolic byte was */
ISR(TIMER0_COMP_vect) { n++; }
int main(void) {
	{
		uint8_t local[8];
		mh_symbolic(local, sizeof local, "local");
		out = local[3];
	}
	OCR0 = 50;
	TIMSK = _BV(OCIE0);
	TCCR0 = _BV(WGM01) | _BV(CS00);
	sei();
	while (n < 5)
		;
	rest();
}
#elif CASE == 12 /* the end of a branch that is not taken, and the way around it */
int main(void) {
	mh_symbolic(&x, 1, "x");
	if (*(volatile uint8_t *)&limit != 10) mh_symbolic(&y, 1, "y");
	if (*(volatile uint8_t *)&limit != 10) mh_assume(x == 3);
	rest();
}
#endif
