/* Purpose: memcpy does it. */
#include <stdint.h>
#include <string.h>
volatile uint8_t in = 26;

uint8_t source[40];
__attribute__((noinline)) uint8_t work(uint8_t n)
{
    uint8_t t[8];
    memcpy(t, source, n); // want bounds t; want return
    return t[1];
}
volatile uint8_t out;
int main(void)
{
    out = work(in);
    return 0;
}
