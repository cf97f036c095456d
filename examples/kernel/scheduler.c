// The task queue, as TinyOS's SchedulerBasicP keeps it: a list through an
// array, in which each task has one place. So a post cannot run out of memory,
// and a task waits at most once.
#include <string.h>

#include "kernel.h"

volatile uint8_t SchedulerBasicP__m_head;
volatile uint8_t SchedulerBasicP__m_tail;
volatile uint8_t SchedulerBasicP__m_next[SchedulerBasicP__NUM_TASKS];

#define DECLARE_BODY(name) void name##__runTask(void);
TASKS(DECLARE_BODY)

void SchedulerBasicP__Scheduler__init(void)
{
    atomic {
        memset((void *)SchedulerBasicP__m_next, SchedulerBasicP__NO_TASK, sizeof SchedulerBasicP__m_next);
        SchedulerBasicP__m_head = SchedulerBasicP__NO_TASK;
        SchedulerBasicP__m_tail = SchedulerBasicP__NO_TASK;
    }
}

static uint8_t SchedulerBasicP__popTask(void)
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

// The last task in the list has no successor, so it is told by m_tail.
static bool SchedulerBasicP__isWaiting(uint8_t id)
{
    return SchedulerBasicP__m_next[id] != SchedulerBasicP__NO_TASK || SchedulerBasicP__m_tail == id;
}

// A function of its own in every build, as in TinyOS, so that whoever watches
// a mote from outside can hook it.
__attribute__((noinline, noclone))
error_t SchedulerBasicP__TaskBasic__postTask(uint8_t id)
{
    atomic {
        if (SchedulerBasicP__isWaiting(id))
            return EBUSY;
        if (SchedulerBasicP__m_head == SchedulerBasicP__NO_TASK)
            SchedulerBasicP__m_head = id;
        else
            SchedulerBasicP__m_next[SchedulerBasicP__m_tail] = id;
        SchedulerBasicP__m_tail = id;
    }
    return SUCCESS;
}

// Likewise. The cast keeps the ids' names in the debug information.
__attribute__((noinline, noclone))
void SchedulerBasicP__TaskBasic__runTask(uint8_t id)
{
#define RUN_BODY(name) case name: name##__runTask(); break;
    switch ((enum task_id)id) {
    TASKS(RUN_BODY)
    }
}

// The queue is looked at with interrupts off, and sleep lets them in only
// together with the SLEEP instruction: a handler that posts a task after the
// look cannot be slept over.
void SchedulerBasicP__Scheduler__taskLoop(void)
{
    for (;;) {
        uint8_t id;

        atomic {
            while ((id = SchedulerBasicP__popTask()) == SchedulerBasicP__NO_TASK)
                McuSleepC__McuSleep__sleep();
        }
        SchedulerBasicP__TaskBasic__runTask(id);
    }
}
