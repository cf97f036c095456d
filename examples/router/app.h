// What router uses of the kernel; see kernel/wiring.h and am_queue.h.
#define TASKS(TASK) TIMER_TASKS(TASK) RADIO_TASKS(TASK) RADIO_ADC_TASKS(TASK)
#define TIMERS(TIMER) RADIO_TIMERS(TIMER) TIMER(RouterC__Phase) TIMER(RouterC__Report) TIMER(ForwardingP__Retry)
#define ADC_CLIENTS(CLIENT) RADIO_ADC_CLIENTS(CLIENT)
#define AM_CLIENTS(CLIENT) CLIENT(ForwardingP__Data) CLIENT(DiscoveryP__Control)
