// A failure routine that only its programmer knows.
#include "../chip.h"

volatile uint8_t state;

__attribute__((noinline, noclone)) void oops_state(uint16_t code) { state = code; }

int main(void)
{
    work(100);
    oops_state(0x0102); // want failure oops_state
    for (;;)
        ;
}
