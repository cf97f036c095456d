// The clock of avr.c: an overflow of timer 2, 225 times a second.
#include <stdint.h>
extern uint32_t ticks;
#define MH_TRACE_CLOCK() ticks
#define MH_TRACE_CLOCK_LOG2 8
#define MH_TRACE_SYNC 200
// More than the default: this program does little but what is traced.
#define MH_TRACE_WAITING 16
