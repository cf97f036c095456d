/* Purpose: a pointer walks backwards too far. */
#include <stdint.h>
volatile uint8_t in = 7;

uint8_t lead[20];
uint8_t line[6];
__attribute__((noinline)) uint8_t sum(const uint8_t *p, uint8_t n)
{
    uint8_t s = 0;
    while (n--) s += *p--; // want bounds line
    return s;
}
int main(void)
{
    lead[in] = 1;
    return sum(&line[5], in) + lead[in];
}
