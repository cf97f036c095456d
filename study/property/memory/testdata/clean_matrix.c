/* Purpose: a product of matrices. Nothing is wrong. */
#include <stdint.h>
volatile uint8_t in = 4;

int16_t a[4][4], b[4][4], c[4][4];
volatile int16_t out;
int main(void)
{
    for (uint8_t i = 0; i < in; i++)
        for (uint8_t j = 0; j < in; j++) { a[i][j] = i + j; b[i][j] = i - j; }
    for (uint8_t i = 0; i < in; i++)
        for (uint8_t j = 0; j < in; j++) {
            int16_t s = 0;
            for (uint8_t k = 0; k < in; k++) s += a[i][k] * b[k][j];
            c[i][j] = s;
        }
    out = c[in - 1][in - 2];
    return 0;
}
