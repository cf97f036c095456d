/* Purpose: a struct in the frame. */
#include <stdint.h>
volatile uint8_t in = 5;

struct report { uint16_t n; uint16_t values[4]; };
__attribute__((noinline)) void collect(struct report *r, uint8_t n)
{
    for (uint8_t i = 0; i < n; i++) r->values[i] = i; // want bounds report
    r->n = n;
}
__attribute__((noinline)) uint16_t work(uint8_t n)
{
    struct report report;
    collect(&report, n);
    return report.n + report.values[1];
}
volatile uint16_t out;
int main(void)
{
    out = work(in);
    return 0;
}
