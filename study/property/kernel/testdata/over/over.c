// A program with a kernel that has nothing left to do after ten ticks.
#include <avr/sleep.h>
#define REST sleep_cpu()
#include "../tinyos2.h"

static volatile uint8_t ticks;

static void A__first__runTask(void)
{
    if (++ticks == 10)
        TIMSK1 = 0;
}

static void A__second__runTask(void) { }

ISR(TIMER1_COMPA_vect) { SchedulerBasicP__TaskBasic__postTask(A__first); }

int main(void)
{
    every(4000);
    set_sleep_mode(SLEEP_MODE_IDLE);
    sleep_enable();
    scheduler_init();
    SchedulerBasicP__TaskBasic__postTask(A__second);
    task_loop(); // want dead_sleep
}
