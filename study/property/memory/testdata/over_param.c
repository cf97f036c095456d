/* Purpose: the callee trusts a length that is wrong. */
#include <stdint.h>
volatile uint8_t in = 20;

uint8_t small[6];
uint8_t large[64];
__attribute__((noinline)) void fill(uint8_t *to, uint8_t n)
{
    while (n--) *to++ = n; // want bounds small
}
int main(void)
{
    fill(large, in);
    fill(small, in);
    return large[2] + small[3];
}
