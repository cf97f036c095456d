/* Purpose: malloc, realloc and free. Nothing is wrong. */
#include <stdint.h>
#include <stdlib.h>
volatile uint8_t in = 12;

volatile uint8_t out;
int main(void)
{
    uint8_t *p = malloc(in), *q = malloc(20);
    for (uint8_t i = 0; i < in; i++) p[i] = i;
    free(q);
    p = realloc(p, 30);
    p[29] = p[in - 1];
    q = calloc(4, 4);
    q[15] = p[29];
    free(p);
    free(q);
    out = in;
    return 0;
}
