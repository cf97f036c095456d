// From reset to the first task.
#include "clock.h"
#include "kernel.h"
#include "leds.h"

am_addr_t TOS_NODE_ID = 1;
am_addr_t ActiveMessageAddressC__addr = 1;

int main(void)
{
    PlatformC__init();
    SchedulerBasicP__Scheduler__init();
    LedsP__init();
    ClockC__init();
    sei();
    BootC__booted();
    SchedulerBasicP__Scheduler__taskLoop();
}
