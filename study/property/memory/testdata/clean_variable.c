/* Purpose: an array whose size is known at run time, and alloca. Nothing is wrong. */
#include <stdint.h>
volatile uint8_t in = 11;

__attribute__((noinline)) uint8_t work(uint8_t n)
{
    uint8_t t[n];
    uint8_t *q = __builtin_alloca(n + 1);
    for (uint8_t i = 0; i < n; i++) { t[i] = i; q[i + 1] = t[i]; }
    return t[n - 1] + q[n];
}
volatile uint8_t out;
int main(void)
{
    out = work(in) + work(in - 3);
    return 0;
}
