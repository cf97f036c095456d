// Failure routines that are not called, and assertions that hold, 256 among them.
#include "chip.h"

volatile uint16_t state = 256;

__attribute__((noinline, noclone)) void panic(const char *why) { state = *why; }
__attribute__((noinline, noclone)) void assert(uint16_t holds)
{
    if (!holds)
        state = 9;
}

int main(void)
{
    for (uint8_t i = 0; i < 100; i++) {
        assert(state);
        if (state == 0)
            panic("never");
    }
    for (;;)
        ;
}
