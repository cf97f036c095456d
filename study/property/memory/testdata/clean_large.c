/* Purpose: a frame of several hundred bytes. Nothing is wrong. */
#include <stdint.h>
volatile uint8_t in = 100;

__attribute__((noinline)) uint16_t work(uint8_t n)
{
    uint16_t a[150];
    uint8_t b[90];
    uint16_t s = 0;
    for (uint8_t i = 0; i < 150; i++) a[i] = i + n;
    for (uint8_t i = 0; i < 90; i++) b[i] = a[i];
    for (uint8_t i = 0; i < 90; i++) s += a[149 - i] * b[i];
    return s + a[n] + b[n - 20];
}
volatile uint16_t out;
int main(void)
{
    out = work(in);
    return 0;
}
