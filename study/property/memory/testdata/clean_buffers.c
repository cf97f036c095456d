/* Purpose: two buffers that change places. Nothing is wrong. */
#include <stdint.h>
volatile uint8_t in = 8;

uint8_t one[8], two[8];
uint8_t *fill = one, *send = two;
volatile uint8_t out;
int main(void)
{
    for (uint8_t k = 0; k < 9; k++) {
        for (uint8_t i = 0; i < in; i++) fill[i] = k;
        uint8_t *t = fill;
        fill = send;
        send = t;
        out = send[in - 1];
    }
    return 0;
}
