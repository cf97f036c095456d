/* Purpose: the pointer comes out of a function. */
#include <stdint.h>
volatile uint8_t in = 6;

uint16_t slots[6];
uint16_t rest[20];
__attribute__((noinline)) uint16_t *slot(uint8_t i) { return &slots[i]; }
int main(void)
{
    for (uint8_t i = 0; i <= in; i++)
        *slot(i) = 3; // want bounds slots
    rest[in] = 1;
    return rest[in];
}
