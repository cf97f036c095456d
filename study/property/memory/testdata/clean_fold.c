/* Purpose: offsets that are folded into addresses, of several sizes and directions. Nothing is wrong. */
#include <stdint.h>
volatile uint8_t in = 8;

uint8_t lead[3];
uint16_t a[8], b[8];
struct s { uint8_t x; uint16_t y; uint8_t z; } c[8];
uint8_t trail[5];
volatile uint16_t out;
int main(void)
{
    uint16_t s = 0;
    for (uint8_t i = 1; i <= in; i++) { a[i - 1] = i; b[i - 1] = a[i - 1]; c[i - 1].z = i; }
    for (uint8_t i = 3; i < in + 3; i++) s += a[i - 3] + c[i - 3].z;
    for (uint8_t i = 0; i + 2 < in; i++) s += b[i + 2];
    for (uint8_t i = 1; i <= in; i++) s += b[in - i];
    lead[in - 6] = trail[in - 4] = s;
    out = s;
    return 0;
}
