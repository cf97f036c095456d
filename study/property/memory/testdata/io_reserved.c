/* Purpose: a register that the chip has not. */
#include <stdint.h>
int main(void)
{
    *(volatile uint8_t *)0xF5 = 1; // want reserved
    return 0;
}
