// What relay uses of the kernel; see kernel/wiring.h.
#define TASKS(TASK) TIMER_TASKS(TASK) RADIO_TASKS(TASK) RADIO_ADC_TASKS(TASK) TASK(RelayC__forward)
#define TIMERS(TIMER) RADIO_TIMERS(TIMER) TIMER(RelayC__Period) TIMER(RelayC__Retry)
#define ADC_CLIENTS(CLIENT) RADIO_ADC_CLIENTS(CLIENT)
