// A line through the latest pairs, by least squares, as FTSP has it (Maroti et al.,
// SenSys 2004): where the other clock is, and how much faster it runs. Times wrap,
// so only differences are used, and old pairs are left out before those grow too
// large.
#include "global.h"

enum {
    NUM_PAIRS = 8,
    MIN_PAIRS = 2,

    // A pair that far from the line is wrong, or the line is: after a few, a new
    // line is begun.
    MAX_ERROR = 900,
    MAX_WRONG = 3,
};

#define MAX_AGE (1UL << 27)

static struct {
    uint32_t local;
    int32_t offset;    // of the global time
} GlobalTimeP__pairs[NUM_PAIRS];

static uint8_t GlobalTimeP__next;     // place for a pair
static uint8_t GlobalTimeP__wrong;    // in a row

// What is true, for whoever reads the memory of a mote. The line: at local, the
// global time is ahead by offset, and gains skew with each count.
uint8_t GlobalTimeP__numPairs;
uint32_t GlobalTimeP__local;
int32_t GlobalTimeP__offset;
float GlobalTimeP__skew;
int32_t GlobalTimeP__lastError;       // of the last pair, before it was added
uint16_t GlobalTimeP__restarts;

bool GlobalTimeP__isKnown(void)
{
    return GlobalTimeP__numPairs >= MIN_PAIRS;
}

uint32_t GlobalTimeP__fromLocal(uint32_t local)
{
    return local + GlobalTimeP__offset + (int32_t)(GlobalTimeP__skew * (int32_t)(local - GlobalTimeP__local));
}

// The pairs in use are the numPairs before next.
static uint8_t GlobalTimeP__at(uint8_t age)
{
    return (GlobalTimeP__next + NUM_PAIRS - 1 - age) % NUM_PAIRS;
}

static void GlobalTimeP__dropOld(uint32_t now)
{
    while (GlobalTimeP__numPairs > 0 &&
           now - GlobalTimeP__pairs[GlobalTimeP__at(GlobalTimeP__numPairs - 1)].local > MAX_AGE)
        GlobalTimeP__numPairs--;
}

static void GlobalTimeP__fit(void)
{
    uint32_t local0 = GlobalTimeP__pairs[GlobalTimeP__at(0)].local;
    int32_t offset0 = GlobalTimeP__pairs[GlobalTimeP__at(0)].offset;
    float local = 0, offset = 0, squares = 0, products = 0;

    for (uint8_t i = 0; i < GlobalTimeP__numPairs; i++) {
        local += (int32_t)(GlobalTimeP__pairs[GlobalTimeP__at(i)].local - local0);
        offset += GlobalTimeP__pairs[GlobalTimeP__at(i)].offset - offset0;
    }
    local /= GlobalTimeP__numPairs;
    offset /= GlobalTimeP__numPairs;
    for (uint8_t i = 0; i < GlobalTimeP__numPairs; i++) {
        float x = (int32_t)(GlobalTimeP__pairs[GlobalTimeP__at(i)].local - local0) - local;
        float y = GlobalTimeP__pairs[GlobalTimeP__at(i)].offset - offset0 - offset;

        squares += x * x;
        products += x * y;
    }
    GlobalTimeP__local = local0 + (int32_t)local;
    GlobalTimeP__offset = offset0 + (int32_t)offset;
    GlobalTimeP__skew = squares > 0 ? products / squares : 0;
}

// False: not this one.
static bool GlobalTimeP__check(int32_t error)
{
    if (!GlobalTimeP__isKnown() || (error <= MAX_ERROR && error >= -MAX_ERROR)) {
        GlobalTimeP__wrong = 0;
        return true;
    }
    if (++GlobalTimeP__wrong < MAX_WRONG)
        return false;
    GlobalTimeP__wrong = 0;
    GlobalTimeP__numPairs = 0;
    GlobalTimeP__restarts++;
    return true;
}

void GlobalTimeP__add(uint32_t local, uint32_t global)
{
    GlobalTimeP__dropOld(local);
    GlobalTimeP__lastError = GlobalTimeP__fromLocal(local) - global;
    if (!GlobalTimeP__check(GlobalTimeP__lastError))
        return;
    GlobalTimeP__pairs[GlobalTimeP__next].local = local;
    GlobalTimeP__pairs[GlobalTimeP__next].offset = global - local;
    GlobalTimeP__next = (GlobalTimeP__next + 1) % NUM_PAIRS;
    if (GlobalTimeP__numPairs < NUM_PAIRS)
        GlobalTimeP__numPairs++;
    GlobalTimeP__fit();
}
