/* Purpose: pointers to the buffers are in an initialised table. */
#include <stdint.h>
volatile uint8_t in = 1;

uint8_t first[4], second[4], third[40];
uint8_t *const volatile tables[2] = {first, second};
volatile uint8_t n = 6;
int main(void)
{
    uint8_t *p = tables[in];
    for (uint8_t i = 0; i < n; i++) p[i] = i; // want bounds second
    third[n] = 1;
    return third[n] + first[in] + second[in];
}
