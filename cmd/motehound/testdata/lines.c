// Takes frames from a serial line: 7E, a length, that many bytes. What came is echoed. Nobody checks that a frame fits.
#include <avr/interrupt.h>
#include <avr/io.h>

#ifdef UDR1 // of several, this one listens to its second
#define UBRR UBRR1
#define UCSRA UCSR1A
#define UCSRB UCSR1B
#define UDR UDR1
#define RX_vect USART1_RX_vect
#else
#define UBRR UBRR0
#define UCSRA UCSR0A
#define UCSRB UCSR0B
#define UDR UDR0
#define RX_vect USART_RX_vect
#endif

enum { RXC = 0x80, UDRE = 0x20, RXCIE = 0x80, RXEN = 0x10, TXEN = 0x08 };

static volatile uint8_t body[4];
static uint8_t have, want;
volatile uint8_t frames;

static void take(uint8_t c)
{
    if (have == want) {
        want = 0;
        have = 0;
        if (c != 0x7E)
            return;
        want = 0xFF;
    } else if (want == 0xFF)
        want = c;
    else {
        body[have++] = c;
        frames += have == want;
    }
}

static volatile uint8_t came;

static void serve(uint8_t c)
{
    take(c);
    came = 1;
    while (!(UCSRA & UDRE))
        ;
    UDR = c;
}

#ifndef POLLED
ISR(RX_vect)
{
    serve(UDR);
}
#endif

int main(void)
{
    UBRR = 103;
#ifdef POLLED
    UCSRB = RXEN | TXEN;
    for (;;) {
        if (UCSRA & RXC)
            serve(UDR);
    }
#else
    UCSRB = RXCIE | RXEN | TXEN;
    sei();
    for (;;)
        if (came)
            came = 0;
#endif
}
