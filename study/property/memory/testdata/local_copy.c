/* Purpose: memcpy into a local that is too small. */
#include <stdint.h>
#include <string.h>
volatile uint8_t in = 10;

uint8_t source[16];
__attribute__((noinline)) uint8_t work(uint8_t n)
{
    uint8_t frame[8];
    memcpy(frame, source, n); // want bounds frame
    return frame[in - 4];
}
volatile uint8_t out;
int main(void)
{
    out = work(in);
    return 0;
}
