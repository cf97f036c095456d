#include "trickle.h"

#include "random.h"
#include "timer.h"

static struct {
    uint32_t began;        // the interval
    uint16_t length;       // of it
    uint16_t tellAfter;    // from its begin
    uint8_t heard;
    bool hasTold;          // or has let it be
} TrickleC__keys[TRICKLE_KEYS];

static void TrickleC__begin(uint8_t key, uint32_t at, uint16_t length)
{
    TrickleC__keys[key].began = at;
    TrickleC__keys[key].length = length;
    TrickleC__keys[key].tellAfter = length / 2 + RandomC__below(length / 2);
    TrickleC__keys[key].heard = 0;
    TrickleC__keys[key].hasTold = false;
}

static uint16_t TrickleC__next(uint8_t key)
{
    return TrickleC__keys[key].hasTold ? TrickleC__keys[key].length : TrickleC__keys[key].tellAfter;
}

static void TrickleC__setTimer(void)
{
    uint32_t now = TimerC__getNow();
    uint32_t soonest = TRICKLE_HIGH_MS;

    for (uint8_t key = 0; key < TRICKLE_KEYS; key++) {
        uint32_t elapsed = now - TrickleC__keys[key].began;
        uint32_t next = TrickleC__next(key);
        uint32_t ahead = next > elapsed ? next - elapsed : 0;

        if (ahead < soonest)
            soonest = ahead;
    }
    TimerC__startOneShot(TrickleC__Next, soonest);
}

void TrickleC__start(void)
{
    for (uint8_t key = 0; key < TRICKLE_KEYS; key++)
        TrickleC__begin(key, TimerC__getNow(), TRICKLE_LOW_MS);
    TrickleC__setTimer();
}

void TrickleC__reset(uint8_t key)
{
    if (TrickleC__keys[key].length == TRICKLE_LOW_MS)
        return;
    TrickleC__begin(key, TimerC__getNow(), TRICKLE_LOW_MS);
    TrickleC__setTimer();
}

void TrickleC__heardSame(uint8_t key)
{
    if (TrickleC__keys[key].heard < UINT8_MAX)
        TrickleC__keys[key].heard++;
}

// Intervals follow each other without a gap, however late the timer is.
static void TrickleC__update(uint8_t key)
{
    if (TimerC__getNow() - TrickleC__keys[key].began < TrickleC__next(key))
        return;
    if (!TrickleC__keys[key].hasTold) {
        TrickleC__keys[key].hasTold = true;
        if (TrickleC__keys[key].heard < TRICKLE_REDUNDANCY)
            TrickleC__fired(key);
    } else {
        uint16_t length = TrickleC__keys[key].length;

        TrickleC__begin(key, TrickleC__keys[key].began + length,
                        length < TRICKLE_HIGH_MS ? 2 * length : TRICKLE_HIGH_MS);
    }
}

void TrickleC__Next__fired(void)
{
    for (uint8_t key = 0; key < TRICKLE_KEYS; key++)
        TrickleC__update(key);
    TrickleC__setTimer();
}
