// A kernel like Contiki's, which never sleeps: a timer polls a process, and between that the main loop finds nothing to do.
#include <avr/interrupt.h>
#include "contiki.h"

volatile uint8_t count, rounds;

THREAD(counts_process)
{
    count++;
    return 1;
}

ISR(TIMER0_OVF_vect)
{
    process_poll(&counts_process);
}

int main(void)
{
    process_list = &counts_process;
    TCCR0 = 4;
    TIMSK = 1 << TOIE0;
    sei();
    for (;;) {
        process_run();
#ifdef COUNTS // its rounds, which get longer
        for (uint8_t n = ++rounds; n; n--)
            asm volatile("nop");
#endif
    }
}
