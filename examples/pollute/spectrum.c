// Goertzel's algorithm ("An Algorithm for the Evaluation of Finite Trigonometric
// Series", 1958), for each frequency in turn.
#include <math.h>

#include "pollute.h"

enum {
    WINDOW_MS = 560,
    MAX_READINGS = 32,
};

static uint16_t SpectrumP__readings[MAX_READINGS];    // a ring
static uint8_t SpectrumP__next;

// What is true, for whoever reads the memory of a mote.
uint8_t SpectrumP__strongest;    // of half as many frequencies as there are readings, from 1 up
uint16_t SpectrumP__analyses;

void SpectrumP__put(uint16_t reading)
{
    SpectrumP__readings[SpectrumP__next] = reading;
    SpectrumP__next = (SpectrumP__next + 1) % MAX_READINGS;
}

static float SpectrumP__power(const uint16_t *readings, uint8_t count, uint8_t frequency)
{
    float turn = 2 * cos(2 * M_PI * frequency / count);
    float last = 0, before = 0;

    for (uint8_t i = 0; i < count; i++) {
        float now = readings[i] + turn * last - before;

        before = last;
        last = now;
    }
    return last * last + before * before - turn * last * before;
}

// One by one: radios do not wait until all are copied. Four more readings may come before the oldest of them is overwritten.
static void SpectrumP__copy(uint16_t *to, uint8_t count)
{
    uint8_t first = SpectrumP__next - count;

    for (uint8_t i = 0; i < count; i++) {
        atomic
            to[i] = SpectrumP__readings[(uint8_t)(first + i) % MAX_READINGS];
    }
}

void SpectrumP__analyse(uint16_t period)
{
    uint16_t readings[MAX_READINGS];
    uint8_t count = WINDOW_MS / period < MAX_READINGS ? WINDOW_MS / period : MAX_READINGS;
    float most = 0;

    SpectrumP__copy(readings, count);
    for (uint8_t frequency = 1; frequency <= count / 2; frequency++) {
        float power = SpectrumP__power(readings, count, frequency);

        if (power > most) {
            most = power;
            SpectrumP__strongest = frequency;
        }
    }
    SpectrumP__analyses++;
}
