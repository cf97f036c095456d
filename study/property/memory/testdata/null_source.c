/* Purpose: memcpy from nowhere. */
#include <stdint.h>
#include <string.h>
volatile uint8_t in = 3;

uint8_t data[4] = {1, 2, 3, 4};
uint8_t *volatile from;
int main(void)
{
    memcpy(data, from, in); // want null
    return data[in];
}
