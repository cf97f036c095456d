// Sends itself the letters from a on, and counts what comes back.
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>

volatile uint8_t last, came;

ISR(USART_RX_vect)
{
    last = UDR0;
    if (++came < 5)
        UDR0 = last + 1;
}

int main(void)
{
    UBRR0 = 103;
    UCSR0B = 1 << RXCIE0 | 1 << RXEN0 | 1 << TXEN0;
    sei();
    UDR0 = 'a';
    for (;;)
        sleep_mode();
}
