// One event too many for Contiki's queue.
#include "contiki.h"

THREAD(sink_process)
{
    work(10);
    return 1;
}

THREAD(source_process)
{
    if (ev == EVENT_POLL)
        for (uint8_t i = 0; i < 5; i++)
            process_post(&sink_process, 7, 0); // want queue_full sink: event 7
    return 1;
}

int main(void)
{
    source_process.next = &sink_process;
    process_list = &source_process;
    process_poll(&source_process);
    for (;;)
        process_run();
}
