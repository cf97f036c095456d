// A pulse on PB0 every quarter of a second: a pin that no boot loader touches.
#define F_CPU 16000000UL
#include <avr/io.h>
#include <util/delay.h>

int main(void)
{
    DDRB |= 1 << PB0;
    for (;;) {
        PORTB |= 1 << PB0;
        PORTB &= ~(1 << PB0);
        _delay_ms(250);
    }
}
