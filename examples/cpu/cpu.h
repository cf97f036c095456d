// Programs that only compute: no peripheral, no interrupt, no input. Each runs
// more than a hundred million instructions on an ATmega128, leaves a checksum in
// result, sets done and sleeps for good. Integer sizes are explicit, so the same
// source gives the same checksum on a host (make check-cpu).
#ifndef CPU_H
#define CPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __AVR__
#include <avr/pgmspace.h>
#else
#define PROGMEM
#define pgm_read_byte(address) (*(address))
#define pgm_read_dword(address) (*(address))
#endif

void finish(uint32_t checksum) __attribute__((noreturn));

// Order matters: the checksum of a permuted sequence is another one.
static inline uint32_t mix(uint32_t checksum, uint32_t value)
{
    return (checksum << 5 | checksum >> 27) ^ value;
}

// Marsaglia's xorshift with full period; the state must not be 0.
static inline uint32_t xorshift(uint32_t *state)
{
    uint32_t x = *state;

    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    *state = x;
    return x;
}

#endif
