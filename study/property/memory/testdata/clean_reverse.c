/* Purpose: arrays walked backwards from their ends. Nothing is wrong. */
#include <stdint.h>
volatile uint8_t in = 6;

uint8_t a[6] = {1, 2, 3, 4, 5, 6}, b[6];
uint16_t w[6];
volatile uint16_t out;
int main(void)
{
    uint8_t *p = a + 6, *q = b;
    while (p != a) *q++ = *--p;
    uint16_t s = 0;
    for (uint16_t *x = &w[in]; x > w;) s += *--x;
    for (int8_t i = in - 1; i >= 0; i--) s += w[i] + b[i];
    out = s;
    return 0;
}
