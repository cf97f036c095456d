// A loop that never ends, and a watchdog.
#include "chip.h"

static volatile bool done;

ISR(TIMER1_COMPA_vect) { }

int main(void)
{
    wdt_enable(WDTO_15MS);
    for (uint8_t i = 0; i < 10; i++) {
        work(1000);
        wdt_reset(); // want watchdog
    }
    while (!done)
        ;
}
