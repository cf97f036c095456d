// What serial uses of the kernel; see kernel/wiring.h.
#define TASKS(TASK) TIMER_TASKS(TASK) SERIAL_TASKS(TASK)
#define TIMERS(TIMER) TIMER(TestSerialC__Timer)
