/* Purpose: recursion with locals in each frame, and pointers to them. Nothing is wrong. */
#include <stdint.h>
volatile uint8_t in = 12;

struct f { struct f *up; uint8_t n[3]; };
__attribute__((noinline)) uint8_t down(struct f *up, uint8_t k)
{
    struct f here = {up, {k, k, k}};
    uint8_t s = 0;
    if (k) return down(&here, k - 1);
    for (struct f *p = &here; p; p = p->up) s += p->n[2];
    return s;
}
volatile uint8_t out;
int main(void)
{
    out = down(0, in);
    return 0;
}
