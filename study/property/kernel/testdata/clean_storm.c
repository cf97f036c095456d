// Handlers take most of the time, but a tenth is left for the task, and a storm comes to an end.
// run 3s
#include "tinyos2.h"

static uint16_t left = 800;

ISR(TIMER1_COMPA_vect)
{
    SchedulerBasicP__TaskBasic__postTask(A__first);
    work(500);
    if (left && !--left)
        OCR1A = 3999;
}

static void A__first__runTask(void)
{
    for (uint8_t i = 0; i < 20; i++)
        work(60000);
}

static void A__second__runTask(void) { }

int main(void)
{
    scheduler_init();
    every(500);
    sei();
    task_loop();
}
