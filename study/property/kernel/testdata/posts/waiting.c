// A task is posted while it waits already.
#include "../tinyos2.h"

static void A__second__runTask(void) { work(5); }

static void A__first__runTask(void)
{
    SchedulerBasicP__TaskBasic__postTask(A__second);
    work(5);
    SchedulerBasicP__TaskBasic__postTask(A__second); // want failed_post
    work(5);
}

int main(void)
{
    scheduler_init();
    SchedulerBasicP__TaskBasic__postTask(A__first);
    task_loop();
}
