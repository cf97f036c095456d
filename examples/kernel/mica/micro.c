#include "micro.h"

enum {
    // From reading TCNT1 to the compare value being in effect.
    MIN_COUNTS = 4,
};

static volatile uint16_t MicroC__turns;    // of the 16-bit counter

// The alarm went off and its task has not run. Setting or stopping the alarm
// takes it back, so that a task already posted finds nothing to do.
static volatile bool MicroC__isDue;

void MicroC__start(void)
{
    TCCR1A = 0;
    TCCR1B = 1 << CS11;
    TIFR = 1 << TOV1;
    TIMSK |= 1 << TOIE1;
}

ISR(TIMER1_OVF_vect)
{
    MicroC__turns++;
}

uint32_t MicroC__now(void)
{
    uint16_t turns, count;

    atomic {
        count = TCNT1;
        turns = MicroC__turns;
        // It turned, and the handler did not get to it: before count was read,
        // if that is small.
        if ((TIFR & (1 << TOV1)) && count < 0x8000)
            turns++;
    }
    return (uint32_t)turns << 16 | count;
}

uint32_t MicroC__extend(uint16_t count)
{
    uint32_t now = MicroC__now();

    return now - (uint16_t)((uint16_t)now - count);
}

void MicroC__setAlarm(uint16_t counts)
{
    if (counts < MIN_COUNTS)
        counts = MIN_COUNTS;
    atomic {
        MicroC__isDue = false;
        OCR1A = TCNT1 + counts;
        TIFR = 1 << OCF1A;
        TIMSK |= 1 << OCIE1A;
    }
}

void MicroC__stopAlarm(void)
{
    atomic {
        TIMSK &= ~(1 << OCIE1A);
        MicroC__isDue = false;
    }
}

ISR(TIMER1_COMPA_vect)
{
    TIMSK &= ~(1 << OCIE1A);
    MicroC__isDue = true;
    post(MicroC__alarm);
}

void MicroC__alarm__runTask(void)
{
    bool isDue;

    atomic {
        isDue = MicroC__isDue;
        MicroC__isDue = false;
    }
    if (isDue)
        MicroC__fired();
}
