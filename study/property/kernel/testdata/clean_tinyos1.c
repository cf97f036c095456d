// As many tasks as the queue of TinyOS 1 takes: it is full, but nothing is lost.
// not atmega2560
#include "tinyos1.h"

__attribute__((noinline)) void A__short(void) { work(5); }

__attribute__((noinline)) void A__many(void)
{
    for (uint8_t i = 0; i < 4; i++)
        TOS_post(A__short);
}

int main(void)
{
    TOS_post(A__many);
    for (;;)
        TOSH_run_next_task();
}
