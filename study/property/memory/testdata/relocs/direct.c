/* Purpose: what only relocations tell: constant indices, and arrays that are left by the first access. */
#include <stdint.h>
volatile uint8_t in = 13;
uint8_t cells[12];
uint8_t end[40];
uint16_t words[3];
uint8_t more[9];
volatile uint8_t out;
__attribute__((noinline)) void constant(void)
{
    words[3] = 5; // want bounds words
}
__attribute__((noinline)) uint8_t front(void) { return more[-1]; } // want bounds more
int main(void)
{
    out = cells[in]; // want bounds cells
    end[in] = 1;
    constant();
    out = front() + end[in] + more[in - 5];
    return 0;
}
