// Marsaglia's xorshift with 32 bits of state ("Xorshift RNGs", 2003): it visits
// every state but 0.
#include "random.h"

#include "kernel.h"

static uint32_t RandomC__state;

// The first outputs of small seeds are alike, so the id is spread over all bits
// (by Knuth's multiplier, which is odd: no id but 0 gives 0).
static uint32_t RandomC__seed(void)
{
    return ((uint32_t)TOS_NODE_ID + 1) * 2654435761UL;
}

uint16_t RandomC__rand16(void)
{
    uint32_t x = RandomC__state;

    if (x == 0)
        x = RandomC__seed();
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    RandomC__state = x;
    return x >> 16;
}
