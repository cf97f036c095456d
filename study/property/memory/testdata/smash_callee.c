/* Purpose: the callee writes over its caller's return address. */
#include <stdint.h>
volatile uint8_t in = 20;

__attribute__((noinline)) void fill(uint8_t *p, uint8_t n)
{
    while (n--) *p++ = in; // want bounds t; want return
}
__attribute__((noinline)) uint8_t work(uint8_t n)
{
    uint8_t t[6];
    fill(t, n);
    return t[2];
}
volatile uint8_t out;
int main(void)
{
    out = work(in);
    return 0;
}
