// What is on the stack where nobody has written yet is what handlers have left there. A variable that gets a copy of that is not wrong.
#include <avr/interrupt.h>
#include <avr/io.h>

struct {
	volatile uint8_t head, tail, bytes[8];
} ring;

struct message {
	uint8_t length, data[12];
} kept;

__attribute__((noinline)) void take(volatile uint8_t *count) {
#ifdef ALL
	while (*count != ring.tail) {
#else
	if (*count != ring.tail) {
#endif
		PORTB = ring.bytes[(*count)++ & 7];
	}
}

ISR(TIMER0_COMPA_vect) {
	take(&ring.head);
}

__attribute__((noinline)) void put(uint8_t byte) {
	ring.bytes[ring.tail & 7] = byte;
	ring.tail++;
}

__attribute__((noinline)) void copy(const struct message *from) {
	kept = *from;
}

__attribute__((noinline)) void compose(void) {
	struct message m;

	m.length = 1;
	m.data[0] = 7;
	copy(&m);
}

int main(void) {
	TCCR0A = 2;
	OCR0A = 249;
	TIMSK0 = 2;
	TCCR0B = 3;
	sei();
	for (;;) {
		if (ring.tail == ring.head) {
			put(1);
			put(2);
			compose();
		}
	}
}
