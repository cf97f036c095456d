// As many events as Contiki's queue takes, one from outside among them, and polls of a process that waits for one already.
#include "contiki.h"

THREAD(sink_process)
{
    work(10);
    return 1;
}

THREAD(source_process)
{
    if (ev == EVENT_POLL)
        for (uint8_t i = 0; i < 3; i++)
            process_post(&sink_process, 7, 0);
    if (ev == 9)
        for (uint8_t i = 0; i < 4; i++)
            process_poll(&sink_process);
    return 1;
}

int main(void)
{
    source_process.next = &sink_process;
    process_list = &source_process;
    process_poll(&source_process);
    process_poll(&source_process);
    process_post(&source_process, 9, 0);
    for (;;)
        process_run();
}
