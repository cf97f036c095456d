// Deep asleep, but a pin can wake it; before, idle with its timer on.
#include "chip.h"

static volatile uint8_t ticks;

ISR(TIMER1_COMPA_vect) { ticks++; }
ISR(INT0_vect) { }

int main(void)
{
    every(4000);
    set_sleep_mode(SLEEP_MODE_IDLE);
    sleep_enable();
    sei();
    while (ticks < 10)
        sleep_cpu();
    EIMSK = _BV(INT0);
    set_sleep_mode(SLEEP_MODE_PWR_DOWN);
    for (;;)
        sleep_cpu();
}
