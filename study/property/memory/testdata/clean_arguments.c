/* Purpose: more arguments than registers hold. Nothing is wrong. */
#include <stdint.h>
volatile uint8_t in = 3;

__attribute__((noinline)) uint32_t many(uint32_t a, uint32_t b, uint32_t c, uint32_t d, uint32_t e, uint8_t *p, uint16_t n)
{
    p[n] = e;
    e += a;
    return b + c + d + e + p[n];
}
uint8_t t[5];
volatile uint32_t out;
int main(void)
{
    uint8_t u[4] = {0};
    out = many(1, 2, 3, 4, in, t, in) + many(5, 6, 7, 8, in, u, in - 1);
    return 0;
}
