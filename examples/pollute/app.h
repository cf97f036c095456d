// What pollute uses of the kernel; see kernel/wiring.h and adc_now.h.
#define TASKS(TASK) \
    TIMER_TASKS(TASK) RADIO_TASKS(TASK) RADIO_ADC_TASKS(TASK) TASK(PolluteC__prepareAndSendPacket) TASK(PolluteC__analyse)
#define TIMERS(TIMER) RADIO_TIMERS(TIMER) TIMER(PolluteC__Analysis)
#define ADC_CLIENTS(CLIENT) RADIO_ADC_CLIENTS(CLIENT)
#define ADC_NOW_CHANNEL ADC_CHANNEL_ACCEL_X
