/* Purpose: the only access is outside: an array of twelve, and no other array. */
#include <stdint.h>
volatile uint8_t in = 13;

uint8_t cells[12];
volatile uint8_t out;
int main(void)
{
    out = cells[in]; // want bounds cells
    return 0;
}
