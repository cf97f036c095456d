// Moves a pen along a diagonal with two stepper motors. A button at PD2 (pin 2 of an Uno) saves where the pen is. Its contact bounces, so
// it interrupts several times.
//
// The bug: x and y belong together, but are written one after the other. If the button comes in between, it saves a place where the
// pen never was.

#include <avr/interrupt.h>
#include <avr/io.h>
#include <util/delay.h>

volatile struct {
    uint8_t x, y;
} pen, saved;

ISR(INT0_vect) {
    saved.x = pen.x;
    saved.y = pen.y;
}

int main(void) {
    DDRB = 1 << PB0 | 1 << PB1;
    PORTD = 1 << PD2;    // a pull-up resistor for the button
    EICRA = 1 << ISC01;    // at a falling edge
    EIMSK = 1 << INT0;
    sei();
    for (;;) {
        PINB = 1 << PB0 | 1 << PB1;    // a step of both motors
#ifdef FIXED
        cli();
#endif
        pen.x++;
        pen.y++;    // BUG: the button may come before this
#ifdef FIXED
        sei();
#endif
        _delay_us(500);
    }
}
