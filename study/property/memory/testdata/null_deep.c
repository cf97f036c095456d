/* Purpose: fields far inside structs that are not there. */
#include <stdint.h>
struct big { uint8_t a[70]; uint16_t last; uint8_t b[40]; uint8_t end; };
struct big *volatile p;
struct big real;
volatile uint16_t out;
__attribute__((noinline)) void take(struct big *q) { out = q->end; } // want null
int main(void)
{
    take(&real);
    out = p->last; // want null
    take(p);
    return 0;
}
