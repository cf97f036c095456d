// A handler takes half a second while a task waits: slow, but no storm.
// run 3s
#include "tinyos2.h"

ISR(TIMER1_COMPA_vect)
{
    SchedulerBasicP__TaskBasic__postTask(A__first);
    TIMSK1 = 0;
    for (uint8_t i = 0; i < 10; i++)
        work(60000);
}

static void A__first__runTask(void) { work(100); }
static void A__second__runTask(void) { }

int main(void)
{
    scheduler_init();
    every(5000);
    sei();
    task_loop();
}
