/* Purpose: a ring buffer with a mask. Nothing is wrong. */
#include <stdint.h>
volatile uint8_t in = 40;

uint8_t ring[16];
uint8_t head, tail;
volatile uint8_t out;
__attribute__((noinline)) void put(uint8_t c) { ring[head++ & 15] = c; }
__attribute__((noinline)) uint8_t get(void) { return ring[tail++ % sizeof ring]; }
int main(void)
{
    for (uint8_t i = 0; i < in; i++) { put(i); out = get(); }
    return 0;
}
