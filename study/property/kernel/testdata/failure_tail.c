// A failure routine that is jumped to, since nothing comes behind its call.
#include "chip.h"

volatile uint8_t state;

__attribute__((noinline, noclone)) void deputy_fail_noreturn_fast(void)
{
    state = 9;
}

__attribute__((noinline)) static void look(void)
{
    work(10);
    if (state == 0)
        deputy_fail_noreturn_fast(); // want failure deputy_fail_noreturn_fast
}

int main(void)
{
    look();
    for (;;)
        ;
}
