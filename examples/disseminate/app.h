// What disseminate uses of the kernel; see kernel/wiring.h and kernel/trickle.h.
#define TASKS(TASK) \
    TIMER_TASKS(TASK) RADIO_TASKS(TASK) RADIO_ADC_TASKS(TASK) SERIAL_TASKS(TASK) TASK(DisseminateC__tell)
#define TIMERS(TIMER) RADIO_TIMERS(TIMER) TRICKLE_TIMERS(TIMER) TIMER(DisseminateC__Inject)
#define ADC_CLIENTS(CLIENT) RADIO_ADC_CLIENTS(CLIENT)

#define TRICKLE_KEYS 4
#define TRICKLE_LOW_MS (128 * RADIO_PACE)
#define TRICKLE_HIGH_MS (4096 * RADIO_PACE)
#define TRICKLE_REDUNDANCY 2
