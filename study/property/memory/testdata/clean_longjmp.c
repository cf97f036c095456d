/* Purpose: setjmp and longjmp, then deep frames where the old ones were. Nothing is wrong. */
#include <stdint.h>
#include <setjmp.h>
volatile uint8_t in = 5;

jmp_buf back;
__attribute__((noinline)) void deep(uint8_t n)
{
    volatile uint8_t t[20];
    for (uint8_t i = 0; i < 20; i++) t[i] = n;
    if (n == 0) longjmp(back, 3);
    deep(n - 1);
    t[1]++;
}
__attribute__((noinline)) uint8_t wide(uint8_t n)
{
    volatile uint8_t t[120];
    for (uint8_t i = 0; i < 120; i++) t[i] = n;
    return t[n];
}
volatile uint8_t out;
int main(void)
{
    if (setjmp(back) == 0) deep(in);
    out = wide(in);
    return 0;
}
