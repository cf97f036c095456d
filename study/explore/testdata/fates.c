/* Purpose: mote 0 sends four SLIP frames over a wire, and whoever gets characters notes them.
 * Result: got has the characters that came, when the moments by a timer, count how many.
 */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <stdint.h>

volatile uint16_t TOS_NODE_ID = 1;
volatile uint8_t got[32], count;
volatile uint16_t when[32];

ISR(USART0_RX_vect)
{
    uint8_t b = UDR0;
    if (count < sizeof got) {
        when[count] = TCNT1;
        got[count++] = b;
    }
}

static void put(uint8_t b)
{
    while (!(UCSR0A & (1 << UDRE0)))
        ;
    UDR0 = b;
}

int main(void)
{
    UBRR0L = 11; /* 38,400 baud at 7.3728 MHz */
    UCSR0B = (1 << RXEN0) | (1 << TXEN0) | (1 << RXCIE0);
    TCCR1B = 1 << CS11;
    sei();
    for (volatile uint16_t wait = 2000; wait; wait--)
        ;
    for (uint8_t n = 0; n < 4 && TOS_NODE_ID == 0; n++) {
        put(0x10 + n);
        put(0x20 + n);
        put(0x30 + n);
        put(0xC0);
    }
    set_sleep_mode(SLEEP_MODE_IDLE);
    sleep_enable();
    for (;;)
        sleep_cpu();
}
