// Failure routines that return: there may be several failures, and what happens afterwards is another matter.
#include "chip.h"

volatile uint8_t state;

ISR(TIMER1_COMPA_vect) { }

__attribute__((noinline, noclone)) void panic(uint8_t code) { state = code; }

__attribute__((noinline)) static void look(void)
{
    panic(1); // want failure panic
    panic(2); // want failure panic
    work(10);
}

int main(void)
{
    sei();
    look();
    cli(); // want halted
    for (;;)
        ;
}
