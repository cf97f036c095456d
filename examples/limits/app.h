// What limits uses of the kernel; see kernel/wiring.h, am_queue.h and trickle.h.
#define TASKS(TASK) \
    TIMER_TASKS(TASK) ADC_TASKS(TASK) RADIO_TASKS(TASK) TASK(ForwarderP__forward) TASK(RouterP__update)
#define TIMERS(TIMER) \
    RADIO_TIMERS(TIMER) PHOTO_TIMERS(TIMER) TRICKLE_TIMERS(TIMER) TIMER(LimitsC__Phase) TIMER(LimitsC__Period) \
        TIMER(ForwarderP__Resume)
#define ADC_CLIENTS(CLIENT) PHOTO_ADC_CLIENTS(CLIENT) RADIO_ADC_CLIENTS(CLIENT)
#define AM_CLIENTS(CLIENT) CLIENT(RouterP__Beacon) CLIENT(ForwarderP__Data)

// For collect's beacons.
#define TRICKLE_KEYS 1
#define TRICKLE_LOW_MS (256 * RADIO_PACE)
#define TRICKLE_HIGH_MS (4096 * RADIO_PACE)
#define TRICKLE_REDUNDANCY 255
