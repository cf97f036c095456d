// What starve uses of the kernel; see kernel/wiring.h and trace.h.
#ifdef TRACED
#define TRACE_TASKS(TASK) TASK(TraceC__reply)
#else
#define TRACE_TASKS(TASK)
#endif

#define TASKS(TASK) TIMER_TASKS(TASK) ADC_TASKS(TASK) RADIO_TASKS(TASK) TASK(QueueP__run) TRACE_TASKS(TASK)
#define TIMERS(TIMER) RADIO_TIMERS(TIMER) TIMER(StarveC__Send) TIMER(StarveC__Work) TIMER(StarveC__Feed)
#define ADC_CLIENTS(CLIENT) RADIO_ADC_CLIENTS(CLIENT)
