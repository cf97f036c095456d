/* Purpose: numbers that look like addresses, as offsets and sizes. Nothing is wrong. */
#include <stdint.h>
struct big { uint8_t pad[300]; uint8_t x; uint8_t more[40]; } *volatile p;
uint8_t room[800];
uint16_t sizes[4];
volatile uint16_t in = 290;
volatile uint16_t out;
int main(void)
{
    p = (struct big *)(room + (in >> 1));
    p->x = 3;
    p->more[in - 280] = 4;
    uint16_t n = 0x140;
    for (uint16_t i = 0; i < n; i++) room[i + in] = i;
    uint8_t *q = (uint8_t *)((uint16_t)p ^ in);
    q = (uint8_t *)((uint16_t)q ^ in);
    sizes[in & 3] = q[300];
    out = sizes[1] + n;
    return 0;
}
