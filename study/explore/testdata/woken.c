// A handler that allows others ends what a timer would begin again, and the program sleeps as one does: interrupts are off behind SLEEP until it looks whether there is work.
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>

static volatile uint8_t busy, over, refused;

static __attribute__((noinline)) void work(void) {
	if (over) { // BUG
		over = 0;
		busy--;
	}
}

ISR(TIMER1_COMPA_vect, ISR_NOBLOCK) {
	over = 1;
	work();
}

ISR(TIMER1_COMPB_vect) {
	if (busy)
		refused++;
	else
		busy = 1;
	work();
}

int main(void) {
	busy = 1;
	OCR1A = OCR1B = 500;
	TCCR1B = 1 << WGM12 | 1 << CS11;
	TIMSK1 = 1 << OCIE1A | 1 << OCIE1B;
	for (;;) {
		UDR0 = refused;
		sleep_enable();
		sei();
		sleep_cpu();
		cli();
	}
}
