/* Purpose: a switch with a jump table, with cases that fall through. Nothing is wrong. */
#include <stdint.h>
volatile uint8_t in = 0;

uint8_t a[4], b[4], c[4];
volatile uint8_t out;
__attribute__((noinline)) uint8_t *pick(uint8_t k)
{
    uint8_t *p = a;
    switch (k) {
    case 0: p[0]++;
    case 1: p = b; break;
    case 2: p = c; p[1] = 2; break;
    case 3: p = b + 1;
    case 4: p[2] = 9; break;
    case 5: p = c; break;
    case 6: p = a + 1; p[1]++; break;
    case 7: p = b; p[3] = 1; break;
    case 8: out++; break;
    default: p = c;
    }
    return p;
}
int main(void)
{
    for (uint8_t i = 0; i < 12; i++) *pick(i + in) = i;
    return a[1] + b[1] + c[1];
}
