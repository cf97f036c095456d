// What oscilloscope uses of the kernel; see kernel/wiring.h and trace.h.
#ifdef TRACED
#define TRACE_TASKS(TASK) TASK(TraceC__reply)
#else
#define TRACE_TASKS(TASK)
#endif

#define TASKS(TASK) TIMER_TASKS(TASK) ADC_TASKS(TASK) SERIAL_TASKS(TASK) TRACE_TASKS(TASK)
#define TIMERS(TIMER) PHOTO_TIMERS(TIMER) TIMER(OscilloscopeC__Timer)
#define ADC_CLIENTS(CLIENT) PHOTO_ADC_CLIENTS(CLIENT)
