/* Purpose: an array that is not there. */
#include <stdint.h>
volatile uint8_t in = 6;

uint16_t *volatile values;
volatile uint16_t out;
int main(void)
{
    out = values[in]; // want null
    return 0;
}
