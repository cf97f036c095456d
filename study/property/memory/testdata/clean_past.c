/* Purpose: pointers one past the end are made and compared. Nothing is wrong. */
#include <stdint.h>
volatile uint8_t in = 7;

uint8_t a[7], b[3], c[9];
volatile uint8_t out;
__attribute__((noinline)) uint8_t sum(const uint8_t *p, const uint8_t *end)
{
    uint8_t s = 0;
    for (; p < end; p++) s += *p;
    return s;
}
int main(void)
{
    out = sum(a, a + in) + sum(b, b + 3) + sum(c, &c[9]);
    return 0;
}
