// A watchdog that is kept quiet.
#include "chip.h"

int main(void)
{
    wdt_enable(WDTO_15MS);
    for (;;) {
        work(1000);
        wdt_reset();
    }
}
