/* Purpose: several arrays in one frame, with folded offsets and scopes that share places. Nothing is wrong. */
#include <stdint.h>
volatile uint8_t in = 6;

__attribute__((noinline)) uint8_t work(uint8_t n)
{
    uint8_t a[6], s = 0;
    uint16_t b[6];
    for (uint8_t i = 1; i <= n; i++) { a[i - 1] = i; b[i - 1] = a[i - 1]; }
    { uint8_t c[12]; for (uint8_t i = 0; i < 2 * n; i++) c[i] = i; s += c[n]; }
    { uint16_t d[9]; for (uint8_t i = 0; i < n + 3; i++) d[i] = s; s += d[n]; }
    for (uint8_t i = n; i > 0; i--) s += a[n - i] + b[i - 1];
    return s;
}
volatile uint8_t out;
int main(void)
{
    out = work(in);
    return 0;
}
