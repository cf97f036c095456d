/* Purpose: a text without its end is measured. */
#include <stdint.h>
volatile uint8_t in = 4;

char tag[4];
uint8_t zeros[20];
volatile uint8_t out;
#define HIDE(p) asm("" : "+r"(p)) /* the compiler must not know how far it may go */
int main(void)
{
    for (uint8_t i = 0; i < in; i++) tag[i] = 'a' + i;
    const char *p = tag;
    uint8_t n = 0;
    HIDE(p);
    while (*p && n < 8) p++, n++; // want bounds tag
    out = n + zeros[in];
    return 0;
}
