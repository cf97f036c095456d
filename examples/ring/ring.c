// Sends back what it receives. The UART's handler puts characters into a ring buffer, and the main program takes them out.
//
// The bug: both change count. count-- is three instructions: read, subtract, write. If a character arrives between them, its
// count++ is lost. Then the last character stays in the buffer until another one arrives.

#include <avr/interrupt.h>
#include <avr/io.h>

#define SIZE 16

volatile uint8_t buffer[SIZE], count;
uint8_t in, out;

ISR(USART_RX_vect) {
    uint8_t c = UDR0;
    if (count < SIZE) {
        buffer[in] = c;
        in = (in + 1) % SIZE;
        count++;
    }
}

static void send(uint8_t c) {
    while (!(UCSR0A & 1 << UDRE0))
        ;
    UDR0 = c;
}

int main(void) {
    UBRR0 = 103;    // 9600 baud
    UCSR0B = 1 << RXEN0 | 1 << TXEN0 | 1 << RXCIE0;
    sei();
    for (;;) {
        if (count > 0) {
            uint8_t c = buffer[out];
            out = (out + 1) % SIZE;
#ifdef FIXED
            cli();
            count--;
            sei();
#else
            count--;    // BUG: a character may arrive in the middle of this
#endif
            send(c);
        }
    }
}
