// The CC1000, by the names of its datasheet (Texas Instruments SWRS048), and what
// the files of its driver know of each other:
//
//   cc1000_bus.c      its registers
//   cc1000_control.c  switching it on, calibration, receiving or transmitting
//   cc1000_link.c     the stream of bits, as frames
//   cc1000_csma.c     when to send, acknowledgements, messages
//
// The chip is no more than a modem: everything between bits and messages is ours.
#ifndef CC1000_H
#define CC1000_H

#include "ieee154.h"
#include "kernel.h"

enum {
    CC1000_MAIN = 0x00,
    CC1000_FREQ_2A = 0x01,
    CC1000_FREQ_2B = 0x04,
    CC1000_FSEP1 = 0x07,
    CC1000_CURRENT = 0x09,
    CC1000_FRONT_END = 0x0A,
    CC1000_PA_POW = 0x0B,
    CC1000_PLL = 0x0C,
    CC1000_CAL = 0x0E,
    CC1000_MODEM2 = 0x0F,
    CC1000_MODEM1 = 0x10,
    CC1000_MODEM0 = 0x11,
    CC1000_MATCH = 0x12,
    CC1000_FSCTRL = 0x13,
    CC1000_PRESCALER = 0x1C,
    CC1000_TEST4 = 0x42,
};

// For tasks.
void CC1000BusP__start(void);
void CC1000BusP__write(uint8_t reg, uint8_t value);
uint8_t CC1000BusP__read(uint8_t reg);

bool CC1000ControlP__isOn(void);

// When these return, the chip is ready to transmit; it receives after a moment.
void CC1000ControlP__transmit(void);
void CC1000ControlP__receive(void);

// Tells all from the air from now on.
void CC1000LinkP__listen(void);

// Sends what is in the buffer, length bytes and their FCS.
uint8_t *CC1000LinkP__sendBuffer(void);
void CC1000LinkP__send(uint8_t preamble, uint8_t length);

// A frame is on the air, ours or another's.
bool CC1000LinkP__isBusy(void);

// By timer 1, when the start delimiter of the last frame sent, or received, had come
// out of the receiver's modem.
uint16_t CC1000LinkP__sentAt(void);
uint16_t CC1000LinkP__receivedAt(void);

// The last frame received, with its FCS, which is right. It stays until the next
// CC1000LinkP__listen.
const uint8_t *CC1000LinkP__frame(uint8_t *length);

#endif
