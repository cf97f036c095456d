/* Purpose: a recursion that ends because what it pushes has overwritten a variable. */
#include <stdint.h>
#include <avr/io.h>
volatile uint8_t in = 1;

uint8_t ballast[RAMEND - 1200];
volatile uint8_t stop __attribute__((section(".noinit")));
uint8_t mix(uint8_t a, uint8_t b, uint8_t c, uint8_t d) __attribute__((noinline));
uint8_t mix(uint8_t a, uint8_t b, uint8_t c, uint8_t d) { uint8_t r = in; if (stop) return r; return ((mix(b, c, d, a) ^ a) * b ^ c) * d ^ r; } // want stack
int main(void)
{
    stop = 0;
    ballast[in] = 1;
    return mix(in, in, in, in);
}
