// Watches a sensor at ADC0 with the comparator: above or below the bandgap reference, 1.1 V of 5 V.
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>

volatile uint8_t above, changes;

ISR(ANALOG_COMP_vect)
{
    changes++;
    above = !(ACSR & 1 << ACO);
}

int main(void)
{
    for (volatile uint16_t i = 0; i < 20000; i++) // the sensor changes before anybody looks
        ;
    ADMUX = 0;
    ADCSRB = 1 << ACME;
    ACSR = 1 << ACBG | 1 << ACIE;
    sei();
    for (;;)
        sleep_mode();
}
