/* Purpose: differences of pointers, and indices made from them. Nothing is wrong. */
#include <stdint.h>
volatile uint8_t in = 5;

uint8_t text[12] = "one,two,thr", starts[12], other[20];
volatile uint8_t out;
__attribute__((noinline)) const uint8_t *comma(const uint8_t *p) { while (*p && *p != ',') p++; return p; }
int main(void)
{
    const uint8_t *p = text;
    uint8_t n = 0;
    while (*p) {
        starts[n++] = p - text;
        p = comma(p);
        if (*p) p++;
    }
    const uint8_t *q = comma(text + in);
    other[q - text] = text[q - text - 1];
    out = starts[n - 1] + other[in];
    return 0;
}
