// How the tracer sits on this kernel: eight of its ticks are a second. See
// motehound_trace_port.h.
#include <stdint.h>

uint32_t ClockC__now(void);

#define MH_TRACE_CLOCK() (ClockC__now() >> 7)
#define MH_TRACE_CLOCK_LOG2 3
