/* Purpose: what is added to pointers, or subtracted, are bytes that looked like half an address when they were loaded. */
#include <avr/io.h>
#include <stdint.h>
enum { FIRST = RAMSTART >> 8 };

uint8_t front[40];
uint8_t values[12];
uint8_t rest[40];
uint8_t *volatile where = values;
uint8_t *volatile last = values + 11;
volatile uint8_t in = 9;
volatile uint16_t out;

__attribute__((noinline)) uint8_t largest(void)
{
    uint8_t most = 0;
    for (uint8_t i = FIRST; i < 12; i++)
        if (values[i] > values[most]) most = i;
    return most;
}
__attribute__((noinline)) uint8_t forward(const uint8_t *p) { return p[largest()]; } // want bounds values
__attribute__((noinline)) uint8_t backward(const uint8_t *p) { return *(p - largest()); } // want bounds values
__attribute__((noinline)) uint8_t twice(const uint8_t *p) { return p[(uint8_t)(largest() + in)]; } // want bounds values
int main(void)
{
    values[1] = 1;
    out = forward(where) + backward(last) + twice(where);
    values[in] = 2;
    out += forward(where + 5) + backward(last - 5) + twice(where);
    for (uint8_t i = 0; i < 40; i++) out += rest[i] + front[i];
    return 0;
}
