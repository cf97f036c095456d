/* Purpose: two arrays in one loop; only one is too short. */
#include <stdint.h>
volatile uint8_t in = 12;

uint8_t a[12], b[10], c[12], rest[30];
int main(void)
{
    for (uint8_t i = 0; i < in; i++) c[i] = a[i] + b[i]; // want bounds b
    rest[in] = 1;
    return rest[in] + c[in - 1];
}
