/* Variables of all kinds, for properties about symbolic numbers; and a program that takes an input.
   Purpose: what properties and built-in checks find about a symbolic variable, reading, byte of input. */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <stdint.h>

volatile uint8_t a;
volatile int8_t b;
volatile uint16_t c;
volatile int16_t d;
volatile struct {
    uint8_t low : 3;
    int8_t middle : 4;
    uint8_t high : 1;
    uint16_t wide;
} bits;
volatile uint8_t list[3];

volatile uint8_t input;   /* becomes symbolic in take() */
volatile uint8_t taken;
volatile uint8_t half;
volatile uint8_t table[8];
volatile uint16_t reading;
volatile uint8_t typed;

/* One of the failure routines that Motehound knows. */
__attribute__((noinline)) void panic(void) {
    for (;;)
        ;
}

__attribute__((noinline)) uint8_t halve(uint8_t x) {
    half = x / 2;
    return half;
}

/* Exists only inside of others. */
static inline __attribute__((always_inline)) void note(uint8_t x) {
    a = x + 1;
    b = x ^ 0x40;
}

__attribute__((noinline)) void take(void) {
    if (input == 42)
        panic();
    table[0] = halve(input);
    note(input);
    taken = 1; /* LINE: taken */
}

volatile uint8_t where;   /* becomes symbolic in put() */

__attribute__((noinline)) void put(void) {
    table[where & 0x0F] = 1;
}

volatile uint8_t step;
volatile uint16_t steps;

/* Called three times. */
__attribute__((noinline)) void walk(void) {
    step = 1;
    steps += step; /* LINE: step */
}

static void sample(void) {
    ADMUX = 2;
    ADCSRA = _BV(ADEN) | _BV(ADSC);
    while (ADCSRA & _BV(ADSC))
        ;
    reading = ADC;
}

int main(void) {
    UCSR0B = _BV(RXEN0);
    UBRR0L = 7;
    take();
    put();
    walk();
    walk();
    walk();
    sample();
    for (;;)
        if (UCSR0A & _BV(RXC0))
            typed = UDR0;
}
