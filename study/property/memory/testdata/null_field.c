/* Purpose: a field of a struct that is not there. */
#include <stdint.h>
volatile uint8_t in = 3;

struct node { uint16_t id; uint8_t flags; uint8_t parent; } nodes[2];
__attribute__((noinline)) struct node *find(uint8_t id)
{
    for (uint8_t i = 0; i < 2; i++)
        if (nodes[i].id == id) return &nodes[i];
    return 0;
}
volatile uint8_t out;
int main(void)
{
    nodes[0].id = 1;
    nodes[1].id = 2;
    out = find(in - 1)->parent;
    out = find(in)->parent; // want null
    return 0;
}
