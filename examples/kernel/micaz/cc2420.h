// The CC2420, by the names of its datasheet (Texas Instruments SWRS041), and what
// the files of its driver know of each other:
//
//   cc2420_spi.c       bytes to and from the chip
//   cc2420_control.c   switching it on, settings
//   cc2420_transmit.c  sending, and the pin that tells when
//   cc2420_receive.c   taking frames from its FIFO
//
// The chip is spoken to in tasks only, so that no command is torn by another.
#ifndef CC2420_H
#define CC2420_H

#include "kernel.h"

// Command strobes and registers (Table 11).
enum {
    CC2420_SNOP = 0x00,
    CC2420_SXOSCON = 0x01,
    CC2420_SRXON = 0x03,
    CC2420_STXONCCA = 0x05,
    CC2420_SRFOFF = 0x06,
    CC2420_SFLUSHRX = 0x08,
    CC2420_SFLUSHTX = 0x09,

    CC2420_MDMCTRL0 = 0x11,
    CC2420_MDMCTRL1 = 0x12,
    CC2420_TXCTRL = 0x15,
    CC2420_RXCTRL1 = 0x17,
    CC2420_FSCTRL = 0x18,
    CC2420_SECCTRL0 = 0x19,
    CC2420_IOCFG0 = 0x1C,
    CC2420_MANFIDL = 0x1E,
    CC2420_TXFIFO = 0x3E,
    CC2420_RXFIFO = 0x3F,
};

// RAM (Table 6).
enum {
    CC2420_RAM_PANID = 0x168,    // and, after it, the short address
};

// The status byte (Table 5).
enum {
    CC2420_STATUS_TX_ACTIVE = 1 << 3,
    CC2420_STATUS_XOSC16M_STABLE = 1 << 6,
};

void CC2420SpiP__start(void);
uint8_t CC2420SpiP__strobe(uint8_t strobe);    // returns the status byte
void CC2420SpiP__write(uint8_t reg, uint16_t value);
uint16_t CC2420SpiP__read(uint8_t reg);
void CC2420SpiP__writeRam(uint16_t address, const void *from, uint8_t length);

// Bytes to the TXFIFO, or from the RXFIFO, between begin and end.
void CC2420SpiP__beginFifo(uint8_t fifo);
uint8_t CC2420SpiP__exchange(uint8_t byte);
void CC2420SpiP__end(void);

bool CC2420ControlP__isOn(void);

void CC2420TransmitP__start(void);

// An acknowledgement came.
void CC2420TransmitP__acknowledged(uint8_t dsn);

void CC2420ReceiveP__start(void);

// When a start delimiter last came or went, by timer 1. For handlers.
uint16_t CC2420TransmitP__delimiterAt(void);

#endif
