/* Purpose: the element before the first is looked at, at the end of the loop. */
#include <stdint.h>
volatile uint8_t in = 5;

uint8_t lead[24];
uint16_t values[6];
volatile uint16_t out;
int main(void)
{
    lead[in] = 1;
    uint16_t s = 0;
    for (uint8_t i = in + 1; i-- > 0;) s += values[i - 1]; // want bounds values|lead|other
    out = s + lead[in];
    return 0;
}
