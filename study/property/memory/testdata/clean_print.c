/* Purpose: sprintf and variable arguments. Nothing is wrong. */
#include <stdint.h>
#include <stdarg.h>
#include <stdio.h>
volatile uint8_t in = 42;

char line[32];
__attribute__((noinline)) int total(uint8_t n, ...)
{
    va_list v;
    int s = 0;
    va_start(v, n);
    while (n--) s += va_arg(v, int);
    va_end(v);
    return s;
}
volatile uint8_t out;
int main(void)
{
    out = sprintf(line, "%d and %s, %lx", in, "text", 123456L) + total(4, 1, 2, 3, in);
    return line[3];
}
