// Counts presses of a button on PD2: each falling edge, which is wrong if the contact bounces.
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>

volatile uint8_t presses, level;

ISR(INT0_vect)
{
    presses++;
    level = PIND >> 2 & 1;
}

int main(void)
{
    EICRA = 2; // falling edge
    EIMSK = 1;
    sei();
    for (;;)
        sleep_mode();
}
