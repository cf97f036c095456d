/* Purpose: a null pointer is read. */
#include <stdint.h>
volatile uint8_t *volatile p;
volatile uint8_t out;
int main(void)
{
    out = *p; // want null
    return 0;
}
