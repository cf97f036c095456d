/* Purpose: a null pointer is written through. */
#include <stdint.h>
uint8_t *volatile p;
int main(void)
{
    *p = 5; // want null
    return 0;
}
