// Obeys commands of three characters, such as "L1\n": a name, a digit, the end of the line. A timer gives up a command that is not
// complete after a tenth of a second.
//
// The bug: the UART's handler allows other interrupts, so that the timer is never late. But the timer's handler uses the same state.

#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>

enum { IDLE, NAME, DIGIT };

volatile uint8_t state, name, digit;
volatile uint8_t done, expired;

static void take(uint8_t c) {
    switch (state) {
    case IDLE:
        name = c;
        state = NAME;
        break;
    case NAME:
        digit = c - '0';
        state = DIGIT;    // BUG: the timer may have made it IDLE meanwhile
        break;
    case DIGIT:
        done += c == '\n';
        state = IDLE;
        break;
    }
}

ISR(USART_RX_vect) {
    uint8_t c = UDR0;
#ifndef FIXED
    sei();
#endif
    take(c);
}

ISR(TIMER1_COMPA_vect) {
    if (state != IDLE) {
        state = IDLE;
        expired++;
    }
}

int main(void) {
    UBRR0 = 103;    // 9600 baud
    UCSR0B = 1 << RXEN0 | 1 << RXCIE0;
    OCR1A = 1562;    // 16 MHz / 1024 / 1563: ten times a second
    TIMSK1 = 1 << OCIE1A;
    TCCR1B = 1 << WGM12 | 1 << CS12 | 1 << CS10;
    sei();
    for (;;)
        sleep_mode();
}
