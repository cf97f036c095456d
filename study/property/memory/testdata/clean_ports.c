/* Purpose: I/O registers by a number that is 0: address constants plus an index. Nothing is wrong. */
#include <stdint.h>
#include <avr/io.h>
volatile uint8_t port = 0;
volatile uint8_t out;
__attribute__((noinline)) void set(uint8_t n, uint8_t v) { *(volatile uint8_t *)(0x25 + 3 * n) = v; }
__attribute__((noinline)) uint8_t get(uint8_t n) { return *(volatile uint8_t *)(0x23 + n); }
int main(void)
{
    set(port, 7);
    set(port + 1, 1);
    out = get(port) + get(port + 3) + *((&PINB) + port);
    volatile uint8_t *r = &PORTB;
    for (uint8_t i = 0; i < 2; i++) out += r[i - port];
    return 0;
}
