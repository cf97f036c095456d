// What fragments uses of the kernel; see kernel/wiring.h.
#define TASKS(TASK) TIMER_TASKS(TASK) RADIO_TASKS(TASK) RADIO_ADC_TASKS(TASK)
#define TIMERS(TIMER) RADIO_TIMERS(TIMER) TIMER(FragmentsC__Make) TIMER(ReassemblyP__Timeout)
#define ADC_CLIENTS(CLIENT) RADIO_ADC_CLIENTS(CLIENT)
