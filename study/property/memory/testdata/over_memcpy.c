/* Purpose: memcpy is told too much; the finding is in memcpy, and its caller is in the chain. */
#include <stdint.h>
#include <string.h>
volatile uint8_t in = 12;

uint8_t from[16] = {1, 2, 3};
uint8_t to[8];
uint8_t next[32];
int main(void)
{
    memcpy(to, from, in); // want bounds to
    memset(next, in, sizeof next);
    return to[in - 9] + next[in];
}
