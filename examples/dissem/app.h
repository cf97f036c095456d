// What dissem uses of the kernel; see kernel/wiring.h and kernel/trickle.h.
#define TASKS(TASK) TIMER_TASKS(TASK) RADIO_TASKS(TASK) RADIO_ADC_TASKS(TASK) SERIAL_TASKS(TASK)
#define TIMERS(TIMER) RADIO_TIMERS(TIMER) TRICKLE_TIMERS(TIMER)
#define ADC_CLIENTS(CLIENT) RADIO_ADC_CLIENTS(CLIENT)

// The shortest time between two messages of a mote, half of the lowest interval, is
// more than the radio takes for one.
#define TRICKLE_KEYS 1
#define TRICKLE_LOW_MS (32 * RADIO_PACE)
#define TRICKLE_HIGH_MS (2048 * RADIO_PACE)
#define TRICKLE_REDUNDANCY 1
