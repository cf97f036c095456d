// Blink: three timers, three LEDs, as TinyOS's app of that name.
//
// What one must see: LED 0 changes every 250 ms, LED 1 every 500 and LED 2 every
// 1000, the first time after that long, so together they count from 0 to 7 every
// two seconds. The milliseconds are 1/1024 s on Mica boards. Between changes the
// mote sleeps: in power-save on Mica boards, in idle on the Uno.
#include "kernel.h"
#include "leds.h"
#include "timer.h"

void BootC__booted(void)
{
    TimerC__startPeriodic(BlinkC__Timer0, 250);
    TimerC__startPeriodic(BlinkC__Timer1, 500);
    TimerC__startPeriodic(BlinkC__Timer2, 1000);
}

void BlinkC__Timer0__fired(void)
{
    LedsP__toggle(LED0);
}

void BlinkC__Timer1__fired(void)
{
    LedsP__toggle(LED1);
}

void BlinkC__Timer2__fired(void)
{
    LedsP__toggle(LED2);
}
