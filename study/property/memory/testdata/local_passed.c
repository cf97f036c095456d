/* Purpose: a local's address goes to another function, which writes too much. */
#include <stdint.h>
volatile uint8_t in = 6;

__attribute__((noinline)) void fill(uint8_t *p, uint8_t n)
{
    for (uint8_t i = 0; i < n; i++) p[i] = i; // want bounds header
}
__attribute__((noinline)) uint8_t work(uint8_t n)
{
    uint8_t header[5];
    fill(header, n);
    return header[n - 2];
}
volatile uint8_t out;
int main(void)
{
    out = work(in - 1);
    out = work(in);
    return 0;
}
