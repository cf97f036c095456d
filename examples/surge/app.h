// What surge uses of the kernel; see kernel/wiring.h and trace.h.
#ifdef TRACED
#define TRACE_TASKS(TASK) TASK(TraceC__reply)
#else
#define TRACE_TASKS(TASK)
#endif

#define TASKS(TASK) TIMER_TASKS(TASK) ADC_TASKS(TASK) RADIO_TASKS(TASK) TASK(RouteP__forward) TRACE_TASKS(TASK)
#define TIMERS(TIMER) RADIO_TIMERS(TIMER) PHOTO_TIMERS(TIMER) TIMER(SurgeC__Sample) TIMER(RouteP__Beacon) TIMER(RouteP__Retry)
#define ADC_CLIENTS(CLIENT) PHOTO_ADC_CLIENTS(CLIENT) RADIO_ADC_CLIENTS(CLIENT)
