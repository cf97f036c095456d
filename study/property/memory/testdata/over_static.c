/* Purpose: a static of a function. */
#include <stdint.h>
volatile uint8_t in = 7;

uint8_t rest[30];
__attribute__((noinline)) uint8_t *next(void)
{
    static uint8_t pool[6];
    static uint8_t used;
    return &pool[used++];
}
int main(void)
{
    for (uint8_t i = 0; i < in; i++)
        *next() = i; // want bounds pool
    rest[in] = 1;
    return rest[in];
}
