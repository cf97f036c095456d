// A failure routine with a text, called and jumped to.
#include "chip.h"

volatile uint8_t state;

ISR(TIMER1_COMPA_vect) { }

__attribute__((noinline, noclone)) void panic(const char *why)
{
    state = *why;
    cli();
    for (;;)
        ;
}

__attribute__((noinline)) static void look(void)
{
    if (state == 0)
        panic("state is zero"); // want failure panic "state is zero"
    state++;
}

int main(void)
{
    sei();
    look();
    for (;;)
        ;
}
