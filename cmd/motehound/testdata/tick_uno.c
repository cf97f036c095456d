// Toggles PB0. Before main it switches the watchdog off, as the avr-libc manual has
// it for chips on which it stays on through a reset (<avr/wdt.h>): boot loaders start
// programs by it.
#include <avr/io.h>
#include <avr/wdt.h>
#include <util/delay.h>

__attribute__((naked, used, section(".init3")))
static void calm(void)
{
    MCUSR = 0;
    wdt_disable();
}

int main(void)
{
    DDRB |= 1;
    for (;;) {
        PINB = 1;
        _delay_ms(10);
    }
}
