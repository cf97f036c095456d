// A timer that is too fast even for a short handler: entering and leaving it counts, too.
// run 3s
#include "tinyos2.h"

volatile uint8_t ticks;

ISR(TIMER1_COMPA_vect)
{ // want storm TIMER1_COMPA
    ticks++;
    work(8);
}

static void A__first__runTask(void)
{
    every(20);
    for (uint8_t i = 0; i < 20; i++)
        work(60000);
}

static void A__second__runTask(void) { }

int main(void)
{
    scheduler_init();
    SchedulerBasicP__TaskBasic__postTask(A__first);
    sei();
    task_loop();
}
