// The clock of the Mica boards: timer 0, asynchronous, 32,768 Hz / 32 = 1024 ticks
// a second, never stopped and never set back. All the "must" below are from the
// ATmega128 datasheet, Asynchronous Operation of Timer/Counter0.
#include "clock.h"

enum {
    NORMAL_MODE_BY_32 = (1 << CS01) | (1 << CS00),

    // Within one turn of the 8-bit counter, with room for a late handler.
    MAX_AHEAD = 200,

    // OCR0 takes effect two crystal cycles after it is written, and compares
    // nothing meanwhile. With this the match is more than a whole tick after the
    // write, wherever in a tick that falls.
    MIN_AHEAD = 3,
};

static uint32_t ClockC__base;    // the time when TCNT0 was last read
static bool ClockC__isStale;     // TCNT0 may still read as before the sleep

static void ClockC__awaitUpdate(uint8_t flags)
{
    while (ASSR & flags)
        ;
}

// The order is the datasheet's for switching to the crystal. The crystal may need
// a second to settle, in which the milliseconds are not exact; nothing here
// needs them to be, so we do not hold up the boot for it.
void ClockC__init(void)
{
    TIMSK &= ~((1 << OCIE0) | (1 << TOIE0));
    ASSR = 1 << AS0;
    TCNT0 = 0;
    OCR0 = MAX_AHEAD;
    TCCR0 = NORMAL_MODE_BY_32;
    ClockC__awaitUpdate((1 << TCN0UB) | (1 << OCR0UB) | (1 << TCR0UB));
    TIFR = (1 << OCF0) | (1 << TOV0);
    TIMSK |= 1 << OCIE0;
}

// After a wake-up from power-save, TCNT0 reads as before the sleep until the
// crystal's next edge. Waiting for a write to go through is waiting for that
// edge; TCCR0 with its own value is the write that changes nothing.
static void ClockC__resynchronise(void)
{
    ClockC__awaitUpdate(1 << TCR0UB);
    TCCR0 = NORMAL_MODE_BY_32;
    ClockC__awaitUpdate(1 << TCR0UB);
    ClockC__isStale = false;
}

uint32_t ClockC__now(void)
{
    uint32_t now;

    atomic {
        if (ClockC__isStale)
            ClockC__resynchronise();
        ClockC__base += (uint8_t)(TCNT0 - (uint8_t)ClockC__base);
        now = ClockC__base;
    }
    return now;
}

// OCF0 rises when the counter leaves the value that matched.
static void ClockC__compare(uint8_t now, uint8_t ahead)
{
    OCR0 = now + ahead - 1;
}

// A second write while the first is on its way may corrupt it. That is for two
// crystal cycles, 61 us, in which other handlers get their turn.
void ClockC__alarmAt(uint32_t at)
{
    for (;;) {
        atomic {
            if (!(ASSR & (1 << OCR0UB))) {
                uint32_t now = ClockC__now();
                int32_t ahead = at - now;

                if (ahead > MAX_AHEAD)
                    ahead = MAX_AHEAD;
                if (ahead < MIN_AHEAD)
                    ahead = MIN_AHEAD;
                ClockC__compare(now, ahead);
                return;
            }
        }
    }
}

// Time is read, and the next reading set up, here and not in a task: so it is
// kept however long tasks run. If a write is on its way, a task has just set an
// alarm, and the time is read at that.
ISR(TIMER0_COMP_vect)
{
    if (!(ASSR & (1 << OCR0UB)))
        ClockC__compare(ClockC__now(), MAX_AHEAD);
    CLOCK_FIRED();
}

// A write on its way when power-save begins is lost, and with it the wake-up.
// The other hazard is to enter power-save within one crystal cycle of a wake-up
// by this timer, while its interrupt logic resets. The handler has written OCR0
// since then, or found it just written, and that write's two crystal cycles are
// awaited here.
void ClockC__stopping(void)
{
    ClockC__awaitUpdate((1 << TCN0UB) | (1 << OCR0UB) | (1 << TCR0UB));
    ClockC__isStale = true;
}
