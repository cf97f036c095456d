// A program to trace on a mote: tasks and three handlers, one of which lets others in, that take pseudo-random paths. It ends
// by itself when it has run ROUNDS tasks; then all of it is in the log.
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <stdint.h>

#define MH_TRACE_PROCS 24
#include "motehound_trace.h"

enum { FIRST_HANDLER = 20 };

static volatile uint16_t random_[3] = {SEED, SEED * 7 + 1, SEED * 3 + 5};

// Each context has its own, so that what one does hardly depends on the others.
static uint8_t draw(uint8_t who)
{
    random_[who] = random_[who] * 25173 + 13849;
    return random_[who] >> 8;
}

static void work(uint8_t who, uint8_t depth);

#define PROCEDURE(n)                                          \
    static __attribute__((noinline)) void p##n(uint8_t who, uint8_t depth) \
    {                                                         \
        uint16_t path = 0;                                    \
                                                              \
        MH_TRACE_ENTER(n);                                    \
        if (draw(who) < WILD)                                 \
            path = n & 4 ? draw(who) * 9 : draw(who) & 3;     \
        for (uint8_t i = draw(who) < WILD ? draw(who) & 7 : n & 3; i != 0; i--) { \
            if (n & 4)                                        \
                MH_TRACE_PATH16(n, path);                     \
            else                                              \
                MH_TRACE_PATH8(n, path);                      \
        }                                                     \
        if (depth != 0)                                       \
            work(who, depth - 1);                             \
        if (n & 4)                                            \
            MH_TRACE_LEAVE16(n, path);                        \
        else                                                  \
            MH_TRACE_LEAVE8(n, path);                         \
    }

PROCEDURE(0) PROCEDURE(1) PROCEDURE(2) PROCEDURE(3) PROCEDURE(4) PROCEDURE(5) PROCEDURE(6) PROCEDURE(7)

static void work(uint8_t who, uint8_t depth)
{
    static void (*const procedures[])(uint8_t, uint8_t) = {p0, p1, p2, p3, p4, p5, p6, p7};

    procedures[(draw(who) < WILD ? draw(who) : depth * 3 + who) & 7](who, depth);
}

ISR(TIMER1_COMPA_vect)
{
    MH_TRACE_ENTER(FIRST_HANDLER);
    OCR1A = TCNT1 + 14000 + draw(1) * 128;
    work(1, 0);
    MH_TRACE_LEAVE8(FIRST_HANDLER, 1);
}

ISR(TIMER3_COMPA_vect, ISR_NOBLOCK)
{
    MH_TRACE_ENTER(FIRST_HANDLER + 1);
    OCR3A = TCNT3 + 40000 + draw(2) * 64;
    work(2, 1);
    MH_TRACE_LEAVE16(FIRST_HANDLER + 1, 999);
}

uint32_t ticks;

ISR(TIMER2_OVF_vect)
{
    MH_TRACE_ENTER(FIRST_HANDLER + 2);
    ticks++;
    MH_TRACE_LEAVE8(FIRST_HANDLER + 2, 0);
}

int main(void)
{
    TCCR1B = _BV(CS10);
    TCCR3B = _BV(CS10);
    TCCR2 = _BV(CS22) | _BV(CS20);
    OCR1A = 20000;
    OCR3A = 30000;
    TIMSK = _BV(OCIE1A) | _BV(TOIE2);
    ETIMSK = _BV(OCIE3A);
    sleep_enable();
    sei();
    for (uint16_t i = 0; i < ROUNDS; i++) {
        work(0, 3);
        for (uint8_t n = IDLE; n != 0; n--) {
            sleep_cpu();
            mh_trace_service();
        }
    }
    cli();
    mh_trace_fault(42);
    sleep_cpu();
}
