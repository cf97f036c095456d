/* Purpose: floats and long numbers, which pass through all registers. Nothing is wrong. */
#include <stdint.h>
volatile uint8_t in = 7;

float values[8];
double total;
uint64_t big;
volatile float out;
int main(void)
{
    for (uint8_t i = 0; i < 8; i++) values[i] = i * 1.5f + in;
    for (uint8_t i = 1; i < 8; i++) total += values[i] / values[i - 1];
    big = (uint64_t)(total * 1000) * in / 3;
    out = total + (float)big;
    return 0;
}
