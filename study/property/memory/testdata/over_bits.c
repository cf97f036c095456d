/* Purpose: a bit set is indexed by a number that is too large. */
#include <stdint.h>
volatile uint8_t in = 40;

uint8_t set[4];
uint8_t rest[20];
__attribute__((noinline)) void mark(uint8_t bit) { set[bit >> 3] |= 1 << (bit & 7); } // want bounds set
int main(void)
{
    for (uint8_t i = 0; i <= in; i += 8) mark(i);
    rest[in - 30] = 1;
    return rest[in - 31];
}
