/* Purpose: the address of one local is made from that of the next one, by a subtraction whose upper half is SBC with r1. Both are passed on. Nothing is wrong. */
#include <stdint.h>
#include <string.h>

typedef union { uint16_t brief; uint64_t extended; } address_t;

volatile uint8_t in = 2, out;
uint64_t own;
uint8_t header[24];

__attribute__((noinline)) uint8_t put(uint8_t *to, uint8_t mode, const address_t *there, const address_t *here)
{
    uint8_t n = mode == 2 ? 2 : 8;
    memcpy(to, there, n);
    memcpy(to + n, here, sizeof here->extended);
    return n;
}

__attribute__((noinline)) uint8_t ask(const address_t *whom, uint8_t mode)
{
    address_t there, here, *first = &there, *second = &here;
    there = *whom;
    here.extended = own;
    asm ("" : "+r" (second));
    if ((uint16_t)second - (uint16_t)first == sizeof there) // the compiler does this now and then, where registers are scarce
        asm ("subi %A0, 8\n\tsbc %B0, __zero_reg__" : "=d" (first) : "0" (second));
    return put(header, mode, first, second);
}

int main(void)
{
    address_t a = { .extended = 0x1122334455667788 };
    out = ask(&a, in) + ask(&a, in + 1);
    return 0;
}
