/* Purpose: an array of structs is walked by a pointer, one too far. */
#include <stdint.h>
volatile uint8_t in = 5;

struct entry { uint8_t id; uint16_t value; uint8_t flags; };
struct entry entries[4];
uint8_t tail[60];
int main(void)
{
    struct entry *e = entries;
    for (uint8_t i = 0; i < in; i++, e++) e->id = i; // want bounds entries
    tail[in] = 1;
    return tail[in];
}
