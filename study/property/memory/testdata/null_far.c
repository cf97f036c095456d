/* Purpose: a field far inside a struct that is not there. */
#include <stdint.h>
struct big { uint8_t a[50]; uint8_t last; };
struct big *volatile p;
volatile uint8_t out;
int main(void)
{
    out = p->last; // want null
    return 0;
}
