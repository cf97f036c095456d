// Reads two registers of an I2C device at 0x48 and two of an SPI device that PB2 selects, as drivers do.
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>

volatile uint8_t i2c[2], spi[2], absent;

static uint8_t twi(uint8_t control)
{
    TWCR = control | 1 << TWINT | 1 << TWEN;
    while (!(TWCR & 1 << TWINT))
        ;
    return TWSR & 0xF8;
}

static uint8_t start(uint8_t address)
{
    twi(1 << TWSTA);
    TWDR = address;
    return twi(0);
}

static uint8_t shift(uint8_t b)
{
    SPDR = b;
    while (!(SPSR & 1 << SPIF))
        ;
    return SPDR;
}

int main(void)
{
    TWBR = 72;
    start(0x48 << 1);
    TWDR = 5;
    twi(0);
    start(0x48 << 1 | 1);
    twi(1 << TWEA);
    i2c[0] = TWDR;
    twi(0);
    i2c[1] = TWDR;
    TWCR = 1 << TWINT | 1 << TWEN | 1 << TWSTO;
    absent = start(0x49 << 1) == 0x20; // not acknowledged

    PORTB |= 1 << PB2;
    DDRB |= 1 << PB2 | 1 << PB3 | 1 << PB5;
    SPCR = 1 << SPE | 1 << MSTR;
    PORTB &= ~(1 << PB2);
    shift(0x80 | 16);
    spi[0] = shift(0);
    spi[1] = shift(0);
    PORTB |= 1 << PB2;
    sei();
    for (;;)
        sleep_mode();
}
