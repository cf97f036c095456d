/* Purpose: a union seen as bytes, words and a struct. Nothing is wrong. */
#include <stdint.h>
volatile uint8_t in = 8;

union u { uint8_t bytes[8]; uint16_t words[4]; struct { uint32_t a, b; } s; } u;
volatile uint32_t out;
int main(void)
{
    for (uint8_t i = 0; i < in; i++) u.bytes[i] = i;
    uint32_t s = u.s.a + u.s.b;
    for (uint8_t i = 0; i < in / 2; i++) s += u.words[i];
    out = s;
    return 0;
}
