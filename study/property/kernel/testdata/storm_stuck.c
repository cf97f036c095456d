// A handler waits for ever for what only a task would do.
// run 2s
#include "tinyos2.h"

static volatile bool done;

ISR(TIMER1_COMPA_vect)
{
    SchedulerBasicP__TaskBasic__postTask(A__first);
    while (!done) // want storm TIMER1_COMPA
        ;
}

static void A__first__runTask(void) { done = true; }
static void A__second__runTask(void) { }

int main(void)
{
    scheduler_init();
    every(5000);
    sei();
    task_loop();
}
