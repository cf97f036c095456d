// A task that never ends, and a watchdog.
#include "tinyos2.h"

static volatile bool done;

__attribute__((noinline)) static void A__first__runTask(void)
{
    while (!done) // want watchdog
        ;
}

static void A__second__runTask(void) { }

int main(void)
{
    wdt_enable(WDTO_15MS);
    scheduler_init();
    SchedulerBasicP__TaskBasic__postTask(A__first);
    task_loop();
}
