// Purpose: the queue of TinyOS 2, with everything inlined that can be.
// Result: posts and runs, from the stores to its variables alone.
#include "log.h"

enum {
    A__first,
    A__second,
    A__third,
    SchedulerBasicP__NUM_TASKS,
    SchedulerBasicP__NO_TASK = 255,
};

uint8_t SchedulerBasicP__m_head;
uint8_t SchedulerBasicP__m_tail;
uint8_t SchedulerBasicP__m_next[SchedulerBasicP__NUM_TASKS];

#define always_inline static inline __attribute__((always_inline))

#ifdef REAL_POST
static __attribute__((noinline, noclone))
#else
always_inline
#endif
bool SchedulerBasicP__TaskBasic__postTask(uint8_t id)
{
    bool ok = false;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
        if (SchedulerBasicP__m_next[id] == SchedulerBasicP__NO_TASK && SchedulerBasicP__m_tail != id) {
            if (SchedulerBasicP__m_head == SchedulerBasicP__NO_TASK)
                SchedulerBasicP__m_head = id;
            else
                SchedulerBasicP__m_next[SchedulerBasicP__m_tail] = id;
            SchedulerBasicP__m_tail = id;
            ok = true;
        }
    }
    return ok;
}

always_inline uint8_t SchedulerBasicP__popTask(void)
{
    uint8_t id = SchedulerBasicP__m_head;

    if (id != SchedulerBasicP__NO_TASK) {
        SchedulerBasicP__m_head = SchedulerBasicP__m_next[id];
        if (SchedulerBasicP__m_head == SchedulerBasicP__NO_TASK)
            SchedulerBasicP__m_tail = SchedulerBasicP__NO_TASK;
        SchedulerBasicP__m_next[id] = SchedulerBasicP__NO_TASK;
    }
    return id;
}

static void post(uint8_t id)
{
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
        note(SchedulerBasicP__TaskBasic__postTask(id) ? POST : FAIL, id);
    }
}

static void tick(void) { post(A__first); }
static void tock(void) { post(A__second); }

always_inline void A__first__runTask(void)
{
    work(20);
    post(A__third);
}

always_inline void A__second__runTask(void)
{
    post(A__second);
    work(40);
    post(A__second);
}

always_inline void A__third__runTask(void) { work(10); }

#ifdef REAL_RUN
static __attribute__((noinline, noclone))
#else
always_inline
#endif
void SchedulerBasicP__TaskBasic__runTask(uint8_t id)
{
    switch (id) {
    case A__first: A__first__runTask(); break;
    case A__second: A__second__runTask(); break;
    case A__third: A__third__runTask(); break;
    }
}

int main(void)
{
    for (uint8_t i = 0; i < SchedulerBasicP__NUM_TASKS; i++)
        SchedulerBasicP__m_next[i] = SchedulerBasicP__NO_TASK;
    SchedulerBasicP__m_head = SchedulerBasicP__NO_TASK;
    SchedulerBasicP__m_tail = SchedulerBasicP__NO_TASK;
    post(A__third);
    start_timers();
    sei();
    for (;;) {
        uint8_t id;

        ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
            while ((id = SchedulerBasicP__popTask()) == SchedulerBasicP__NO_TASK) {
                sei();
                __asm__ volatile("nop");
                cli();
            }
            note(RUN, id);
        }
        SchedulerBasicP__TaskBasic__runTask(id);
        note(END, id);
    }
}
