/* Purpose: an array of 32-bit numbers, summed up too far. */
#include <stdint.h>
volatile uint8_t in = 6;

uint32_t counts[5] = {100000, 2, 3, 4, 5};
uint32_t limits[9] = {1};
volatile uint32_t out;
int main(void)
{
    uint32_t s = 0;
    for (uint8_t i = 0; i < in; i++) s += counts[i]; // want bounds counts
    for (uint8_t i = 0; i < 9; i++) s += limits[i];
    out = s;
    return 0;
}
