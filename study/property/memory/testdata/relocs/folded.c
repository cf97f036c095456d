/* Purpose: folded offsets whose owner only relocations tell, and a use in front of the array at once. */
#include <stdint.h>
volatile uint8_t in = 0;
uint8_t lead[20];
uint8_t values[6];
volatile uint8_t out;
__attribute__((noinline)) uint8_t previous(uint8_t i) { return values[i - 1]; } // want bounds values
__attribute__((noinline)) uint8_t half(uint8_t i) { return values[i - 20]; }
int main(void)
{
    out = previous(in) + half(in + 22) + lead[in];
    return 0;
}
