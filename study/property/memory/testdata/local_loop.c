/* Purpose: an array in the frame, written too far. */
#include <stdint.h>
volatile uint8_t in = 9;

#define HIDE(p) asm("" : "+r"(p)) /* the compiler must not know how far it may go */
__attribute__((noinline)) uint8_t work(uint8_t n)
{
    uint8_t t[8];
    uint8_t s = 0, *p = t;
    HIDE(p);
    for (uint8_t i = 0; i < n; i++) p[i] = i; // want bounds t
    for (uint8_t i = 0; i < 8; i++) s += t[i];
    return s;
}
volatile uint8_t out;
int main(void)
{
    out = work(in);
    return 0;
}
