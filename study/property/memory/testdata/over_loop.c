/* Purpose: a loop writes one element too many. */
#include <stdint.h>
volatile uint8_t in = 8;

uint8_t buf[8];
uint8_t other[40];
volatile uint8_t out;
int main(void)
{
    for (uint8_t i = 0; i <= in; i++) buf[i] = i; // want bounds buf
    for (uint8_t i = 0; i < 40; i++) other[i] = i;
    out = buf[in - 1] + other[in];
    return 0;
}
