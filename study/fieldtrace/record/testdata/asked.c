// A program whose handlers trace all the time while it is asked for its log, again and again.
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <stdint.h>

#define MH_TRACE_PROCS 8
#include "motehound_trace.h"

static volatile uint16_t rounds;

ISR(TIMER1_COMPA_vect)
{
    MH_TRACE_ENTER(1);
    OCR1A = TCNT1 + 2500 + (rounds * 97 & 255);
    rounds++;
    MH_TRACE_LEAVE8(1, rounds % 40 == 0);
}

int main(void)
{
    static const unsigned char request[14] = {0x51, 1, 0xFF, 0xFF, 0, 0, 0xFF, 0xFF};

    OCR1A = 2500;
    TCCR1B = _BV(CS10);
    TIMSK = _BV(OCIE1A);
    sei();
    for (uint8_t i = 0; i < 200; i++) {
        uint16_t until = rounds + 13;

        mh_trace_request(request, sizeof request);
        while ((int16_t)(rounds - until) < 0)
            mh_trace_service();
    }
    cli();
    mh_trace_fault(42);
    sleep_enable();
    sleep_cpu();
}
