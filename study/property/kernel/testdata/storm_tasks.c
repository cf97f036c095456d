// A timer asks again before its handler has ended: the task gets one instruction at a time.
// run 3s
#include "tinyos2.h"

ISR(TIMER1_COMPA_vect)
{ // want storm TIMER1_COMPA
    SchedulerBasicP__TaskBasic__postTask(A__first);
    work(100);
}

static void A__first__runTask(void) { work(60000); }
static void A__second__runTask(void) { }

int main(void)
{
    scheduler_init();
    every(100);
    sei();
    task_loop();
}
