// A failure routine that is inlined.
#include "chip.h"

volatile uint8_t state;

__attribute__((always_inline)) static inline void panic(void)
{
    PORTB = 0xFF;
    DDRB = 0xFF;
    for (;;)
        ;
}

int main(void)
{
    work(100);
    if (state == 0)
        panic(); // want failure panic
    for (;;)
        state++;
}
