/* Purpose: a loop writes over its function's return address. */
#include <stdint.h>
volatile uint8_t in = 24;

volatile uint8_t i;
__attribute__((noinline)) void work(uint8_t n)
{
    uint8_t t[8];
    for (i = 0; i < in; i++) ((volatile uint8_t *)t)[i] = 0; // want bounds t; want return
}
int main(void)
{
    work(in);
    return 0;
}
