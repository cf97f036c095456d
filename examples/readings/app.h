// What readings uses of the kernel; see kernel/wiring.h.
#define TASKS(TASK) TIMER_TASKS(TASK) ADC_TASKS(TASK) RADIO_TASKS(TASK) TASK(ArbiterP__grant)
#define TIMERS(TIMER) \
    RADIO_TIMERS(TIMER) TIMER(ReadingsC__Timer) TIMER(ReadingsC__Battery) TIMER(ReadingsC__SelfTest)
#define ADC_CLIENTS(CLIENT) \
    CLIENT(LightP__Adc, ADC_CHANNEL_PHOTO) CLIENT(BatteryP__Adc, ADC_CHANNEL_BATTERY) RADIO_ADC_CLIENTS(CLIENT)
