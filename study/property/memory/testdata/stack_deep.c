/* Purpose: a recursion without an end meets the variables. */
#include <stdint.h>
#include <avr/io.h>
volatile uint8_t in = 250;

uint8_t ballast[RAMEND - 2300];
uint8_t down(uint8_t n, volatile uint8_t *p) __attribute__((noinline));
uint8_t down(uint8_t n, volatile uint8_t *p) { volatile uint8_t t[16]; t[3] = n; return n == 0 ? p[0] : down(n - 1, t) + t[3]; } // want stack
int main(void)
{
    ballast[in] = 1;
    return down(in, ballast);
}
