// What blink uses of the kernel; see kernel/wiring.h.
#define TASKS(TASK) TIMER_TASKS(TASK)
#define TIMERS(TIMER) TIMER(BlinkC__Timer0) TIMER(BlinkC__Timer1) TIMER(BlinkC__Timer2)
