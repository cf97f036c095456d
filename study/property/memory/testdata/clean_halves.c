/* Purpose: halves of addresses, and of numbers that look like addresses, as indices and distances. Nothing is wrong. */
#include <avr/io.h>
#include <stdint.h>
enum { FIRST = RAMSTART >> 8 };

uint8_t values[12];
uint8_t byLow[256];
uint16_t bySlot[16];
struct { uint8_t pad[RAMSTART + 20]; uint8_t x; } far;
uint8_t rest[40];
uint8_t *volatile where = values;
volatile uint8_t in = 9;
volatile uint16_t out;

__attribute__((noinline)) uint8_t largest(void)
{
    uint8_t most = 0;
    for (uint8_t i = FIRST; i < 12; i++)
        if (values[i] > values[most]) most = i;
    return most;
}
__attribute__((noinline)) uint8_t hash(const void *p) { return (uint8_t)(uintptr_t)p; }
__attribute__((noinline)) void note(const void *p)
{
    byLow[hash(p)]++;
    byLow[(uint8_t)((uintptr_t)p >> 8)]++;
    byLow[(uint8_t)(hash(p) - hash(values))]++;
    bySlot[hash(p) & 15] += hash(p);
}
// A pointer in two bytes, the upper one with its bits turned around twice.
__attribute__((noinline)) uint8_t *split(uint8_t *p)
{
    uint8_t lo = (uintptr_t)p, hi = (uintptr_t)p >> 8;
    hi ^= in;
    hi ^= in;
    return (uint8_t *)(lo | hi << 8);
}
__attribute__((noinline)) uint8_t distance(const uint8_t *p)
{
    uint8_t *q = split(where);
    return rest[(uint8_t)((uint8_t)(uintptr_t)p - (uint8_t)(uintptr_t)q)] + rest[(uint8_t)(p - where)];
}
__attribute__((noinline)) uint32_t longer(uint32_t p, const uint8_t *from) { return p - (uintptr_t)from; }
int main(void)
{
    values[in] = 3;
    out = values[largest()] + *(where + 11 - largest()) + where[largest() + 2];
    note(values);
    note(rest + in);
    note(where + largest());
    split((uint8_t *)&far)[RAMSTART + 20] = 4;
    split((uint8_t *)&far)[RAMSTART + in] = 5;
    split(rest)[largest()] = 6;
    split(rest + in)[-largest()] = 7;
    out += rest[longer((uintptr_t)(values + in), where)] + rest[longer((uintptr_t)where + in, values)];
    out += distance(values + in) + distance(where + largest()) + far.x;
    return 0;
}
