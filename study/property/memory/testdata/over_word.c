/* Purpose: words: the index is one too high in the last of several calls. */
#include <stdint.h>
volatile uint8_t in = 4;

uint16_t samples[12];
uint16_t spare[20];
__attribute__((noinline)) void put(uint8_t i, uint16_t v)
{
    samples[i] = v; // want bounds samples
}
int main(void)
{
    for (uint8_t i = 0; i < 4; i++) put(in * i, 500 + i);
    spare[in] = 7;
    return spare[in - 1];
}
