// Numbers that are random enough for backoffs and timers, and the same in every
// run of the same mote: the seed is the mote's id.
#ifndef RANDOM_H
#define RANDOM_H

#include <stdint.h>

uint16_t RandomC__rand16(void);

// From 0 to below. Not quite uniform unless below is a power of two.
static inline uint16_t RandomC__below(uint16_t below)
{
    return (uint32_t)RandomC__rand16() * below >> 16;
}

#endif
