/* A program that sends more than its line can take: it waits in a loop until the handler has made room in the buffer, and where interrupts are off it
   does the handler's work, as Arduino's core does. */
#include <avr/interrupt.h>
#include <avr/io.h>

static volatile uint8_t buffer[16], head, tail, ready = 1;

static void __attribute__((noinline)) take(void)
{
	UDR0 = buffer[tail];
	tail = (tail + 1) % sizeof buffer;
	if (head == tail)
		UCSR0B &= ~(1 << UDRIE0);
}

ISR(USART_UDRE_vect) { take(); }

static void __attribute__((noinline)) put(uint8_t c)
{
	uint8_t next = (head + 1) % sizeof buffer;
	while (next == tail)
		if (!(SREG & 1 << SREG_I) && ready)
			take();
	buffer[head] = c;
	cli();
	head = next;
	UCSR0B |= 1 << UDRIE0;
	sei();
}

int main(void)
{
	UBRR0 = 103;
	UCSR0B = 1 << TXEN0;
	sei();
	for (uint8_t n = 0;; n++)
		put(n);
}
