/* Purpose: memory that nothing wrote: a variable that start-up leaves alone, and a buffer that is filled too little. */
#include <stdint.h>
volatile uint8_t in = 3;
uint8_t kept[4] __attribute__((section(".noinit")));
uint8_t cleared[4];
volatile uint8_t out;
__attribute__((noinline)) uint8_t sum(const uint8_t *p, uint8_t n)
{
    uint8_t s = 0;
    while (n--) s += *p++; // want unwritten
    return s;
}
int main(void)
{
    for (uint8_t i = 0; i < in; i++) kept[i] = i;
    out = sum(cleared, 4);
    out = sum(kept, 3);
    out = sum(kept, 4);
    return 0;
}
