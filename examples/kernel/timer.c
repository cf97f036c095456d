// Many timers on one alarm, as TinyOS's VirtualizeTimerC does it. A timer is
// its start and its length, and is due when (now - t0) >= dt: those are
// differences modulo 2^32, so a wrap of the clock between start and end does no
// harm.
#include "timer.h"

#include "clock.h"

static struct {
    uint32_t t0;
    uint32_t dt;
    bool isRunning : 1;
    bool isOneShot : 1;
} VirtualizeTimerC__m_timers[VirtualizeTimerC__NUM_TIMERS];

#define DECLARE_FIRED(name) void name##__fired(void);
TIMERS(DECLARE_FIRED)

static void VirtualizeTimerC__fired(enum timer_id timer)
{
#define CALL_FIRED(name) case name: name##__fired(); break;
    switch (timer) {
    TIMERS(CALL_FIRED)
    }
}

void ClockC__fired(void)
{
    post(VirtualizeTimerC__updateFromTimer);
}

// Fires the first timer that is due and comes back for the others: tasks posted
// meanwhile get their turn between two firings. When none is due it sets the
// alarm for the next one.
void VirtualizeTimerC__updateFromTimer__runTask(void)
{
    uint32_t now = ClockC__now();
    uint32_t next = INT32_MAX;

    for (uint8_t i = 0; i < VirtualizeTimerC__NUM_TIMERS; i++) {
        if (!VirtualizeTimerC__m_timers[i].isRunning)
            continue;

        uint32_t elapsed = now - VirtualizeTimerC__m_timers[i].t0;
        uint32_t dt = VirtualizeTimerC__m_timers[i].dt;

        if (elapsed >= dt) {
            if (VirtualizeTimerC__m_timers[i].isOneShot)
                VirtualizeTimerC__m_timers[i].isRunning = false;
            else
                VirtualizeTimerC__m_timers[i].t0 += dt;
            post(VirtualizeTimerC__updateFromTimer);
            VirtualizeTimerC__fired(i);
            return;
        }
        if (dt - elapsed < next)
            next = dt - elapsed;
    }
    ClockC__alarmAt(now + next);
}

static void VirtualizeTimerC__start(enum timer_id timer, uint32_t dt, bool isOneShot)
{
    VirtualizeTimerC__m_timers[timer].t0 = ClockC__now();
    VirtualizeTimerC__m_timers[timer].dt = dt;
    VirtualizeTimerC__m_timers[timer].isOneShot = isOneShot;
    VirtualizeTimerC__m_timers[timer].isRunning = true;
    post(VirtualizeTimerC__updateFromTimer);
}

void TimerC__startPeriodic(enum timer_id timer, uint32_t period)
{
    VirtualizeTimerC__start(timer, period, false);
}

void TimerC__startOneShot(enum timer_id timer, uint32_t delay)
{
    VirtualizeTimerC__start(timer, delay, true);
}

// The alarm stays as it is: it finds nothing due, and sets the next one.
void TimerC__stop(enum timer_id timer)
{
    VirtualizeTimerC__m_timers[timer].isRunning = false;
}

uint32_t TimerC__getNow(void)
{
    return ClockC__now();
}
