/* Purpose: the pointer goes through a function pointer. */
#include <stdint.h>
volatile uint8_t in = 5;

uint8_t block[4], rest[30];
__attribute__((noinline)) void one(uint8_t *p, uint8_t n) { for (uint8_t i = 0; i < n; i++) p[i] = in; } // want bounds block
__attribute__((noinline)) void two(uint8_t *p, uint8_t n) { p[0] = n; }
void (*volatile act)(uint8_t *, uint8_t) = two;
int main(void)
{
    act(block, in);
    act = one;
    act(block, in);
    rest[in] = 1;
    return rest[in];
}
