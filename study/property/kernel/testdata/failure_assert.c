// A function that is given a condition: it fails only without.
#include "chip.h"

volatile uint8_t state;

__attribute__((noinline, noclone)) void assert(bool holds)
{
    if (!holds)
        state = 9;
}

int main(void)
{
    assert(state == 0);
    state = 1;
    assert(state == 1);
    assert(state == 0); // want failure assert
    for (;;)
        ;
}
