/* Purpose: the pointer is kept in a struct in memory. */
#include <stdint.h>
volatile uint8_t in = 9;

struct stream { uint8_t *at; uint8_t n; } s;
uint8_t data[8];
uint8_t rest[30];
__attribute__((noinline)) void start(uint8_t *p) { s.at = p; s.n = 0; }
__attribute__((noinline)) void put(uint8_t c) { *s.at++ = c; s.n++; } // want bounds data
int main(void)
{
    start(data);
    for (uint8_t i = 0; i < in; i++) put(i);
    rest[in] = s.n;
    return rest[in];
}
