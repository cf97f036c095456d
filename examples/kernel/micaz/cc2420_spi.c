// The CC2420's four-wire interface (SWRS041, section 13): select it, an address
// byte, for which it gives its status, then data.
#include "board.h"
#include "cc2420.h"

enum {
    READ = 1 << 6,
    RAM = 1 << 7,

    SCK = 1 << PB1,
    MOSI = 1 << PB2,
};

// At half the CPU's clock, 3.7 MHz; the chip takes up to 10. The chip's select is
// also the SPI's own, which must be an output or the SPI stops being a master
// (ATmega128 datasheet, SS Pin Functionality).
void CC2420SpiP__start(void)
{
    atomic {
        PORTB |= CC2420_CSN;
        DDRB |= CC2420_CSN | SCK | MOSI;
    }
    SPCR = (1 << SPE) | (1 << MSTR);
    SPSR = 1 << SPI2X;
}

static void CC2420SpiP__select(void)
{
    PORTB &= ~CC2420_CSN;    // one instruction, so it needs no atomic
}

void CC2420SpiP__end(void)
{
    PORTB |= CC2420_CSN;
}

uint8_t CC2420SpiP__exchange(uint8_t byte)
{
    SPDR = byte;
    while (!(SPSR & (1 << SPIF)))
        ;
    return SPDR;
}

uint8_t CC2420SpiP__strobe(uint8_t strobe)
{
    CC2420SpiP__select();

    uint8_t status = CC2420SpiP__exchange(strobe);

    CC2420SpiP__end();
    return status;
}

void CC2420SpiP__write(uint8_t reg, uint16_t value)
{
    CC2420SpiP__select();
    CC2420SpiP__exchange(reg);
    CC2420SpiP__exchange(value >> 8);
    CC2420SpiP__exchange(value);
    CC2420SpiP__end();
}

uint16_t CC2420SpiP__read(uint8_t reg)
{
    CC2420SpiP__select();
    CC2420SpiP__exchange(reg | READ);

    uint16_t value = (uint16_t)CC2420SpiP__exchange(0) << 8;

    value |= CC2420SpiP__exchange(0);
    CC2420SpiP__end();
    return value;
}

// The address has 7 bits in the first byte, and the two that choose a bank at the
// top of the second, whose bit 5 would make it a read.
void CC2420SpiP__writeRam(uint16_t address, const void *from, uint8_t length)
{
    const uint8_t *bytes = from;

    CC2420SpiP__select();
    CC2420SpiP__exchange(RAM | (address & 0x7F));
    CC2420SpiP__exchange(address >> 1 & 0xC0);
    while (length-- > 0)
        CC2420SpiP__exchange(*bytes++);
    CC2420SpiP__end();
}

void CC2420SpiP__beginFifo(uint8_t fifo)
{
    CC2420SpiP__select();
    CC2420SpiP__exchange(fifo == CC2420_RXFIFO ? fifo | READ : fifo);
}
