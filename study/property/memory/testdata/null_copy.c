/* Purpose: memcpy to nowhere. */
#include <stdint.h>
#include <string.h>
volatile uint8_t in = 3;

uint8_t data[4] = {1, 2, 3, 4};
uint8_t *volatile to;
int main(void)
{
    memcpy(to, data, in); // want null
    return 0;
}
