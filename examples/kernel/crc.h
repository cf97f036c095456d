// The CRC of TinyOS's frames: CCITT's polynomial x^16 + x^12 + x^5 + 1, most
// significant bit first, starting at 0.
#ifndef CRC_H
#define CRC_H

#include <stdint.h>

static inline uint16_t crcByte(uint16_t crc, uint8_t byte)
{
    crc = crc >> 8 | crc << 8;
    crc ^= byte;
    crc ^= (uint8_t)crc >> 4;
    crc ^= crc << 12;
    crc ^= (uint16_t)(uint8_t)crc << 5;
    return crc;
}

#endif
