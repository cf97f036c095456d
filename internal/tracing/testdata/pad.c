// Stands for the tracer in firmware that is to be as late as with it, and nothing else: each event takes some cycles, and what is put off
// until interrupts are on takes WORK.
#define MH_TRACE_PROCS 64
#include "motehound_trace.h"

enum { EVENT = 70 };

volatile unsigned char mh_trace_pending;

static void pad(void)
{
    __builtin_avr_delay_cycles(EVENT);
    mh_trace_pending = 1;
}

unsigned char mh_trace_pause(void)
{
    mh_trace_pending = 0;
    __asm__ volatile("sei" ::: "memory");
    __builtin_avr_delay_cycles(WORK);
    __asm__ volatile("cli" ::: "memory");
    return 1;
}

void mh_trace_enter(mh_trace_label label)
{
    pad();
}

void mh_trace_path8(mh_trace_label label, unsigned char path)
{
    pad();
}

void mh_trace_path16(mh_trace_label label, unsigned short path)
{
    pad();
}

void mh_trace_more(unsigned char times)
{
    pad();
}
