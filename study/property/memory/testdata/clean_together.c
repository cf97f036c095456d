/* Purpose: four arrays in one loop. Nothing is wrong. */
#include <stdint.h>
volatile uint8_t in = 20;

uint8_t a[20], b[20], c[20], d[21];
uint16_t e[20];
int main(void)
{
    for (uint8_t i = 0; i < in; i++) { a[i] = i; b[i] = a[i] ^ 3; c[i] = a[i] + b[i]; d[i + 1] = c[i]; e[i] = d[i]; }
    for (uint8_t i = in; i-- > 1;) e[i] += e[i - 1] + d[i];
    return e[in - 1];
}
