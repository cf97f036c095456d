/* Purpose: a folded offset in front of a single access. Nothing is wrong. */
#include <stdint.h>
volatile uint8_t in = 4;

uint8_t lead[4];
uint8_t a[6];
volatile uint8_t out;
__attribute__((noinline)) uint8_t before(uint8_t i) { return a[i - 1]; }
__attribute__((noinline)) uint8_t first(uint8_t i) { return lead[i - 2]; }
int main(void)
{
    out = before(in) + first(in);
    return 0;
}
