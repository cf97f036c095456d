// Purpose: handlers that end in every way but the usual one.
// Result: each has its end; and a reset by the watchdog starts over.
#include <setjmp.h>
#include <avr/wdt.h>

#include "log.h"

static jmp_buf out;
static volatile uint8_t ticks;

// A function that returns by RETI, called by a handler: it ends itself, not the handler.
__attribute__((naked, noinline)) static void returns_by_reti(void)
{
    __asm__ volatile("reti");
}

static void tick(void)
{
    returns_by_reti();
    cli();
}

static void tock(void)
{
    if (++ticks == 3) {
        note(RETI, TIMER2_COMP_vect_num + 1);
        longjmp(out, 1);
    }
    if (ticks == 200) {
        wdt_enable(WDTO_15MS);
        for (;;)
            ;
    }
}

int main(void)
{
    log_n = 0;
    wdt_disable();
    start_timers();
    if (setjmp(out) && !(TIMSK & _BV(OCIE0))) { // out of two handlers at once
        note(RETI, TIMER0_COMP_vect_num + 1);
        TIMSK |= _BV(OCIE0);
    }
    sei();
    for (;;)
        work(10);
}
