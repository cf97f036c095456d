/* Purpose: elements of three bytes. */
#include <stdint.h>
volatile uint8_t in = 6;

struct rgb { uint8_t r, g, b; } pixels[5];
uint8_t rest[40];
int main(void)
{
    for (uint8_t i = 0; i < in; i++) pixels[i].g = i; // want bounds pixels
    rest[in] = 1;
    return rest[in];
}
