// The queue of TinyOS 2: a list through an array, in which each task has one place.
#include "chip.h"

// REST is what it does while there is no task.
#ifndef REST
#define REST __asm__ volatile("nop")
#endif

enum { A__first, A__second, SchedulerBasicP__NUM_TASKS, SchedulerBasicP__NO_TASK = 255 };

volatile uint8_t SchedulerBasicP__m_head;
volatile uint8_t SchedulerBasicP__m_tail;
volatile uint8_t SchedulerBasicP__m_next[SchedulerBasicP__NUM_TASKS];

static void A__first__runTask(void);
static void A__second__runTask(void);

__attribute__((noinline, noclone)) uint8_t SchedulerBasicP__TaskBasic__postTask(uint8_t id)
{
    uint8_t sreg = SREG, failed = 5;
    cli();
    if (SchedulerBasicP__m_next[id] == SchedulerBasicP__NO_TASK && SchedulerBasicP__m_tail != id) {
        if (SchedulerBasicP__m_head == SchedulerBasicP__NO_TASK)
            SchedulerBasicP__m_head = id;
        else
            SchedulerBasicP__m_next[SchedulerBasicP__m_tail] = id;
        SchedulerBasicP__m_tail = id;
        failed = 0;
    }
    SREG = sreg;
    return failed;
}

__attribute__((noinline, noclone)) void SchedulerBasicP__TaskBasic__runTask(uint8_t id)
{
    switch (id) {
    case A__first: A__first__runTask(); break;
    case A__second: A__second__runTask(); break;
    }
}

static void scheduler_init(void)
{
    for (uint8_t i = 0; i < SchedulerBasicP__NUM_TASKS; i++)
        SchedulerBasicP__m_next[i] = SchedulerBasicP__NO_TASK;
    SchedulerBasicP__m_head = SchedulerBasicP__NO_TASK;
    SchedulerBasicP__m_tail = SchedulerBasicP__NO_TASK;
}

static void task_loop(void)
{
    for (;;) {
        uint8_t id;

        cli();
        while ((id = SchedulerBasicP__m_head) == SchedulerBasicP__NO_TASK) {
            sei();
            REST;
            cli();
        }
        SchedulerBasicP__m_head = SchedulerBasicP__m_next[id];
        if (SchedulerBasicP__m_head == SchedulerBasicP__NO_TASK)
            SchedulerBasicP__m_tail = SchedulerBasicP__NO_TASK;
        SchedulerBasicP__m_next[id] = SchedulerBasicP__NO_TASK;
        sei();
        SchedulerBasicP__TaskBasic__runTask(id);
    }
}
