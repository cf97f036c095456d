// A program that sleeps most of its time, with timer 0 as TinyOS has it for its clock. It traces some procedures every PERIOD seconds, LAST
// times.
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <stdint.h>

#define MH_TRACE_PROCS 8
#include "motehound_trace.h"

static volatile uint16_t quarters;

ISR(TIMER0_COMP_vect)
{
    MH_TRACE_TICK();
    quarters++;
}

static void work(void)
{
    MH_TRACE_ENTER(1);
    MH_TRACE_PATH8(1, 3);
    MH_TRACE_LEAVE8(1, 7);
    MH_TRACE_ENTER(2);
    MH_TRACE_LEAVE8(2, 1);
}

int main(void)
{
    uint16_t next = 4 * PERIOD, round = 0;

    ASSR = _BV(AS0);
    TCCR0 = _BV(WGM01) | _BV(CS01) | _BV(CS00);
    OCR0 = 255;
    while (ASSR & (_BV(TCN0UB) | _BV(OCR0UB) | _BV(TCR0UB)))
        ; // what is on its way when the mote begins to sleep is lost
    TIMSK = _BV(OCIE0);
    MH_TRACE_ENTER(3);
    MH_TRACE_LEAVE8(3, 0);
    set_sleep_mode(SLEEP_MODE_PWR_SAVE);
    sleep_enable();
    for (;;) {
        cli();
        if (quarters >= next && round < LAST) {
            sei();
            next += 4 * PERIOD;
            round++;
            work();
        } else if (!MH_TRACE_REST()) {
            sei();
            sleep_cpu();
        }
        sei();
    }
}
