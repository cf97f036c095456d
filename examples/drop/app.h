// What drop uses of the kernel; see kernel/wiring.h.
#define TASKS(TASK) TIMER_TASKS(TASK) RADIO_TASKS(TASK) RADIO_ADC_TASKS(TASK)
#define ADC_CLIENTS(CLIENT) RADIO_ADC_CLIENTS(CLIENT)
#ifdef FIXED
#define TIMERS(TIMER) RADIO_TIMERS(TIMER) TIMER(DropC__Timer) TIMER(DropC__Patience)
#else
#define TIMERS(TIMER) RADIO_TIMERS(TIMER) TIMER(DropC__Timer)
#endif
