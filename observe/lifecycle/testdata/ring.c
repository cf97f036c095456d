// Purpose: the queue of TinyOS 1: a ring of function pointers.
// Result: posts, refused ones when it is full, and runs by ICALL.
#include "log.h"

enum { TOSH_MAX_TASKS = 4, TOSH_TASK_BITMASK = TOSH_MAX_TASKS - 1 };

volatile struct {
    void (*tp)(void);
} TOSH_queue[TOSH_MAX_TASKS];
uint8_t TOSH_sched_full;
volatile uint8_t TOSH_sched_free;

__attribute__((noinline, noclone)) bool TOS_post(void (*tp)(void))
{
    uint8_t sreg = SREG;
    cli();
    uint8_t at = TOSH_sched_free;
    if (TOSH_queue[at].tp) {
        SREG = sreg;
        return false;
    }
    TOSH_sched_free = (at + 1) & TOSH_TASK_BITMASK;
    TOSH_queue[at].tp = tp;
    SREG = sreg;
    return true;
}

static inline bool TOSH_run_next_task(void)
{
    uint8_t sreg = SREG;
    cli();
    uint8_t at = TOSH_sched_full;
    void (*task)(void) = TOSH_queue[at].tp;
    if (!task) {
        SREG = sreg;
        return false;
    }
    TOSH_queue[at].tp = 0;
    TOSH_sched_full = (at + 1) & TOSH_TASK_BITMASK;
    SREG = sreg;
    task();
    return true;
}

static void post(void (*tp)(void))
{
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
        note(TOS_post(tp) ? POST : FAIL, (uint16_t)tp);
    }
}

__attribute__((noinline)) void A__short(void)
{
    note(RUN, (uint16_t)A__short);
    work(5);
    note(END, (uint16_t)A__short);
}

__attribute__((noinline)) void A__long(void)
{
    note(RUN, (uint16_t)A__long);
    post(A__short);
    work(250);
    post(A__short);
    note(END, (uint16_t)A__long);
}

static void tick(void) { post(A__long); }
static void tock(void) { post(A__short); }

int main(void)
{
    post(A__long);
    start_timers();
    sei();
    for (;;)
        TOSH_run_next_task();
}
