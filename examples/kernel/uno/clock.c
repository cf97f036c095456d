// The clock of the Uno: timer 1 at 16 MHz / 64 = 250 counts a millisecond, never
// stopped and never set back.
#include "clock.h"

#define COUNTS_PER_MS 250U

enum {
    // Within one turn of the 16-bit counter (262 ms), with room for a late
    // handler.
    MAX_AHEAD = 200,

    // A compare value written is in effect at the next count; this leaves time
    // for the instructions from reading TCNT1 to writing it.
    MIN_COUNTS = 2,
};

static uint32_t ClockC__base;     // a time in whole milliseconds,
static uint16_t ClockC__count;    // and what TCNT1 was at that time

void ClockC__init(void)
{
    TCCR1A = 0;
    TCCR1B = (1 << CS11) | (1 << CS10);
    OCR1A = MAX_AHEAD * COUNTS_PER_MS;
    TIFR1 = 1 << OCF1A;
    TIMSK1 = 1 << OCIE1A;
}

uint32_t ClockC__now(void)
{
    uint32_t now;

    atomic {
        uint16_t elapsed = (uint16_t)(TCNT1 - ClockC__count) / COUNTS_PER_MS;

        ClockC__base += elapsed;
        ClockC__count += elapsed * COUNTS_PER_MS;
        now = ClockC__base;
    }
    return now;
}

void ClockC__alarmAt(uint32_t at)
{
    atomic {
        int32_t ahead = at - ClockC__now();

        if (ahead > MAX_AHEAD)
            ahead = MAX_AHEAD;
        if (ahead < 0)
            ahead = 0;

        uint16_t counts = (uint16_t)ahead * COUNTS_PER_MS;
        uint16_t soonest = TCNT1 - ClockC__count + MIN_COUNTS;

        if (counts < soonest)
            counts = soonest;
        OCR1A = ClockC__count + counts;
    }
}

// Time is read, and the next reading set up, here and not in a task: so it is
// kept however long tasks run.
ISR(TIMER1_COMPA_vect)
{
    ClockC__alarmAt(ClockC__now() + MAX_AHEAD);
    ClockC__fired();
}

// Timer 1 needs the I/O clock: PlatformC__sleepMode never stops it while the alarm's
// interrupt is on.
void ClockC__stopping(void)
{
}
