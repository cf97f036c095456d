/* Purpose: a ring's index is wrapped one too late. */
#include <stdint.h>
volatile uint8_t in = 14;

uint8_t ring[8];
uint8_t head;
uint8_t log_[32];
__attribute__((noinline)) void put(uint8_t c)
{
    ring[head] = c; // want bounds ring
    if (++head > 8) head = 0;
}
int main(void)
{
    for (uint8_t i = 0; i < in; i++) put(i);
    log_[in] = head;
    return log_[in];
}
