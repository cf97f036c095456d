// A program that sleeps when there is nothing to do. What a handler wants done right before that waits for the next interrupt.
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>

static volatile uint8_t come, done;

ISR(USART_RX_vect) {
	come = UDR0;
}

static __attribute__((noinline)) void work(void) {
	for (uint8_t n = 0; n < 250; n++)
		done += n;
}

ISR(TIMER0_OVF_vect) {
}

static __attribute__((noinline)) void nap(void) {
#ifdef FIXED
	cli();
#endif
	if (!come) {
#ifdef FIXED
		sei();
#endif
		sleep_cpu(); // BUG
	}
#ifdef FIXED
	sei();
#endif
}

int main(void) {
	UBRR0 = 8;
	UCSR0B = 1 << RXEN0 | 1 << RXCIE0;
#ifdef TICKS // something wakes it soon
	TCCR0B = 5;
	TIMSK0 = 1 << TOIE0;
#endif
	sleep_enable();
	sei();
	for (;;) {
		while (come) {
			come = 0;
			work();
		}
		nap();
	}
}
