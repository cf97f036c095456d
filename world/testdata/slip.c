/* Purpose: two motes joined by a wire send each other numbered SLIP frames (RFC 1055) at 38,400 baud.
 * Result: seen[n] is how often frame n came in whole, bad how many frames came in broken. Frame n is three bytes: n, an
 * escaped END in every fourth frame, and the complement of n.
 */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <stdint.h>

enum { END = 0xC0, ESC = 0xDB, ESC_END = 0xDC, ESC_ESC = 0xDD, FRAMES = 32 };

volatile uint8_t seen[FRAMES], bad, sent;

static void put(uint8_t b)
{
    while (!(UCSR0A & (1 << UDRE0)))
        ;
    UDR0 = b;
}

static void putEscaped(uint8_t b)
{
    if (b == END) {
        put(ESC);
        b = ESC_END;
    } else if (b == ESC) {
        put(ESC);
        b = ESC_ESC;
    }
    put(b);
}

static uint8_t frame[8], length, escaped;

static void take(void)
{
    if (length == 0)
        return;
    if (length == 3 && frame[0] < FRAMES && (uint8_t)~frame[0] == frame[2])
        seen[frame[0]]++;
    else
        bad++;
    length = 0;
}

ISR(USART0_RX_vect)
{
    uint8_t b = UDR0;
    if (b == END) {
        take();
        return;
    }
    if (b == ESC) {
        escaped = 1;
        return;
    }
    if (escaped) {
        escaped = 0;
        b = b == ESC_END ? END : ESC;
    }
    if (length < sizeof frame)
        frame[length++] = b;
}

int main(void)
{
    UBRR0L = 11; /* 38,400 baud at 7.3728 MHz */
    UCSR0B = (1 << RXEN0) | (1 << TXEN0) | (1 << RXCIE0);
    sei();
    for (volatile uint16_t wait = 2000; wait; wait--)
        ;
    for (uint8_t n = 0; n < FRAMES; n++) {
        put(END);
        putEscaped(n);
        putEscaped(n % 4 ? 0x55 : END);
        putEscaped(~n);
        put(END);
        sent++;
    }
    set_sleep_mode(SLEEP_MODE_IDLE);
    sleep_enable();
    for (;;)
        sleep_cpu();
}
