// A program without a clock that traces a little, and then ends as END says. What it traced is far less than a chunk: it
// must be in the flash nevertheless.
#include <avr/interrupt.h>
#include <avr/sleep.h>
#include <avr/wdt.h>

#define MH_TRACE_PROCS 8
#include "motehound_trace.h"

int main(void)
{
    static const unsigned char request[14] = {0x51, 1, 0xFF, 0xFF, 0, 0, 0xFF, 0xFF};

    if (mh_trace_was_reset()) {
        cli();
        sleep_enable();
        sleep_cpu();
    }
    sei();
    for (unsigned char i = 0; i < 5; i++) {
        MH_TRACE_ENTER(1);
        MH_TRACE_PATH8(1, i);
        MH_TRACE_LEAVE8(1, 7);
    }
    MH_TRACE_ENTER(2);
    switch (END) {
    case 1:
        mh_trace_fault(3);
        break;
    case 2:
        mh_trace_request(request, sizeof request);
        break;
    case 4:
        MH_TRACE_STOP();
        break;
    case 3:
        wdt_enable(WDTO_15MS);
        for (;;)
            ;
    }
    cli();
    sleep_enable();
    sleep_cpu();
}
