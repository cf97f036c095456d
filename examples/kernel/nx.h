// Integers as they go over a wire: bytes, most significant first, without
// alignment. The types are those that nesC makes of its network types.
#ifndef NX_H
#define NX_H

#include <stdint.h>

typedef struct {
    unsigned char nxdata[1];
} __attribute__((packed)) nx_uint8_t;

typedef struct {
    unsigned char nxdata[2];
} __attribute__((packed)) nx_uint16_t;

typedef struct {
    unsigned char nxdata[4];
} __attribute__((packed)) nx_uint32_t;

static inline uint8_t nx_get8(const nx_uint8_t *from)
{
    return from->nxdata[0];
}

static inline void nx_set8(nx_uint8_t *to, uint8_t value)
{
    to->nxdata[0] = value;
}

static inline uint16_t nx_get16(const nx_uint16_t *from)
{
    return (uint16_t)from->nxdata[0] << 8 | from->nxdata[1];
}

static inline void nx_set16(nx_uint16_t *to, uint16_t value)
{
    to->nxdata[0] = value >> 8;
    to->nxdata[1] = value;
}

static inline uint32_t nx_get32(const nx_uint32_t *from)
{
    return (uint32_t)from->nxdata[0] << 24 | (uint32_t)from->nxdata[1] << 16 | (uint16_t)from->nxdata[2] << 8 |
           from->nxdata[3];
}

static inline void nx_set32(nx_uint32_t *to, uint32_t value)
{
    to->nxdata[0] = value >> 24;
    to->nxdata[1] = value >> 16;
    to->nxdata[2] = value >> 8;
    to->nxdata[3] = value;
}

#endif
