/* Purpose: an array in the frame, read too far. */
#include <stdint.h>
volatile uint8_t in = 7;

#define HIDE(p) asm("" : "+r"(p)) /* the compiler must not know how far it may go */
__attribute__((noinline)) uint8_t work(uint8_t n)
{
    uint8_t t[6];
    uint8_t s = 0, *p = t;
    HIDE(p);
    for (uint8_t i = 0; i < 6; i++) t[i] = n * i;
    for (uint8_t i = 0; i < n; i++) s += p[i]; // want bounds t
    return s;
}
volatile uint8_t out;
int main(void)
{
    out = work(in);
    return 0;
}
