// What serialbuf uses of the kernel; see kernel/wiring.h.
#define TASKS(TASK) TIMER_TASKS(TASK) TASK(SerialDispatcherP__0__receiveTask)
#define TIMERS(TIMER) TIMER(SerialbufC__Alive)
