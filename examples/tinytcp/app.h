// What tinytcp uses of the kernel; see kernel/wiring.h.
#define TASKS(TASK) \
    TIMER_TASKS(TASK) RADIO_TASKS(TASK) RADIO_ADC_TASKS(TASK) TASK(LinkP__transmit) TASK(SlipP__encode) TASK(LinkP__serial)
#define TIMERS(TIMER) RADIO_TIMERS(TIMER) TIMER(TcpP__Tick) TIMER(ClientC__Next) TIMER(ServerC__Watchdog)
#define ADC_CLIENTS(CLIENT) RADIO_ADC_CLIENTS(CLIENT)
