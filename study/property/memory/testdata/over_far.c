/* Purpose: a large buffer, left after 300 bytes. */
#include <stdint.h>
volatile uint16_t in = 302;
uint8_t big[300];
uint8_t rest[60];
int main(void)
{
    for (uint16_t i = 0; i < in; i++) big[i] = i; // want bounds big
    rest[in - 290] = 1;
    return rest[in - 291];
}
