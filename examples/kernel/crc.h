// The CRCs of frames: CCITT's polynomial x^16 + x^12 + x^5 + 1, starting at 0.
#ifndef CRC_H
#define CRC_H

#include <stdint.h>
#include <util/crc16.h>

// Most significant bit first: TinyOS's serial frames.
static inline uint16_t crcByte(uint16_t crc, uint8_t byte)
{
    crc = crc >> 8 | crc << 8;
    crc ^= byte;
    crc ^= (uint8_t)crc >> 4;
    crc ^= crc << 12;
    crc ^= (uint16_t)(uint8_t)crc << 5;
    return crc;
}

// Least significant bit first: the FCS of IEEE 802.15.4. avr-libc has it in 17
// instructions, and the radio's handler needs it for every byte.
static inline uint16_t fcsByte(uint16_t fcs, uint8_t byte)
{
    return _crc_ccitt_update(fcs, byte);
}

#endif
