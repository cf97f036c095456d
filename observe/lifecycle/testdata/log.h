// What is true: the firmware itself notes what happens to it, with the numbers of kernel.Kind. A test compares it with
// what was seen from outside, interrupts, posts and runs each for itself: an interrupt may come between an event and its
// note.
#include <avr/interrupt.h>
#include <avr/io.h>
#include <stdbool.h>
#include <stdint.h>
#include <util/atomic.h>

enum { INT, RETI, POST, RUN, END, FAIL };
enum { LOG_SIZE = 600 };

#define kept __attribute__((used, externally_visible))

uint8_t log_kind[LOG_SIZE] kept;
uint16_t log_arg[LOG_SIZE] kept;
volatile uint16_t log_n kept;

__attribute__((noinline)) void note(uint8_t kind, uint16_t arg)
{
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
        if (log_n < LOG_SIZE) {
            log_kind[log_n] = kind;
            log_arg[log_n] = arg;
            log_n++;
        }
    }
}

// Two timers, so fast and so different that handlers meet tasks, posts and each other everywhere. The handler of the
// first lets others in.
static void start_timers(void)
{
    OCR0 = 97;
    TCCR0 = _BV(WGM01) | _BV(CS01) | _BV(CS00);
    OCR2 = 201;
    TCCR2 = _BV(WGM21) | _BV(CS21);
    TIMSK = _BV(OCIE0) | _BV(OCIE2);
}

static void tick(void);
static void tock(void);

ISR(TIMER0_COMP_vect)
{
    note(INT, TIMER0_COMP_vect_num + 1);
    tick();
    TIMSK &= ~_BV(OCIE0);
    sei();
    for (volatile uint8_t i = 0; i < 60; i++)
        ;
    cli();
    TIMSK |= _BV(OCIE0);
    note(RETI, TIMER0_COMP_vect_num + 1);
}

ISR(TIMER2_COMP_vect)
{
    note(INT, TIMER2_COMP_vect_num + 1);
    tock();
    note(RETI, TIMER2_COMP_vect_num + 1);
}

static void work(uint8_t n)
{
    for (volatile uint8_t i = 0; i < n; i++)
        ;
}
