/* Purpose: an index began as a number in a pair of registers that hold the address of the first variable when they are loaded. */
#include <avr/io.h>
#include <stdint.h>
enum { FIRST = RAMSTART >> 8, KEYS = 13 };

uint8_t lengths[4] = {13, 7, 4, 2};
uint8_t doubts[KEYS];
uint8_t rest[40];
volatile uint8_t in = 2;
volatile uint16_t out;

__attribute__((noinline)) uint8_t most_in_doubt(void)
{
    uint8_t most = 0;
    for (uint8_t key = FIRST; key < KEYS; key++)
        if (doubts[key] > doubts[most]) most = key;
    return most;
}
__attribute__((noinline)) uint16_t around(uint8_t length)
{
    uint8_t key = most_in_doubt();
    uint16_t sum = 0;
    for (uint8_t i = key; i < key + length; i++) sum += doubts[i]; // want bounds doubts
    return sum;
}
__attribute__((noinline)) uint8_t behind(uint8_t n) { return doubts[(uint8_t)(most_in_doubt() + n)]; } // want bounds doubts
int main(void)
{
    doubts[in + 6] = 1;
    out = around(lengths[in]) + behind(lengths[in]);
    doubts[in + 9] = 2;
    out += around(lengths[in]) + behind(lengths[in]);
    for (uint8_t i = 0; i < sizeof rest; i++) out += rest[i];
    return 0;
}
