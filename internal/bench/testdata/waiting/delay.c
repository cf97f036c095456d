/* A sketch without its core library: loop() blinks and waits a second, by looking at the clock again and again. */
#include <avr/interrupt.h>
#include <avr/io.h>

static volatile unsigned long overflows;

ISR(TIMER0_OVF_vect)
{
	overflows++;
}

/* Timer 0 counts every 4 microseconds at 16 MHz. */
static unsigned long __attribute__((noinline)) now(void)
{
	uint8_t sreg = SREG;
	cli();
	unsigned long high = overflows;
	uint8_t low = TCNT0;
	if ((TIFR0 & _BV(TOV0)) && low < 255)
		high++;
	SREG = sreg;
	return ((high << 8) + low) * 4;
}

static void __attribute__((noinline)) yield(void)
{
	__asm__ __volatile__("");
}

static void delay(unsigned long ms)
{
	unsigned long start = now();
	while (ms > 0) {
		yield();
		while (ms > 0 && now() - start >= 1000) {
			ms--;
			start += 1000;
		}
	}
}

int main(void)
{
	TCCR0A = _BV(WGM01) | _BV(WGM00);
	TCCR0B = _BV(CS01) | _BV(CS00);
	TIMSK0 = _BV(TOIE0);
	DDRB = _BV(5);
	sei();
	for (;;) {
		PORTB ^= _BV(5);
		delay(1000);
	}
}
