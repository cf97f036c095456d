/* Purpose: the only access is outside, in another array. */
#include <stdint.h>
volatile uint8_t in = 17;
uint8_t keys[16];
uint32_t before[30];
uint32_t after[30];
volatile uint8_t out;
int main(void)
{
    out = keys[in]; // want bounds keys
    before[in] = after[in] = out;
    return 0;
}
