#include "packet.h"

#include <string.h>

void PacketP__clear(packet_t *packet)
{
    memset(packet, 0, sizeof *packet);
}

am_addr_t PacketP__destination(const packet_t *packet)
{
    return nx_get16(&packet->destination);
}

void PacketP__setDestination(packet_t *packet, am_addr_t destination)
{
    nx_set16(&packet->destination, destination);
}

am_addr_t PacketP__origin(const packet_t *packet)
{
    return nx_get16(&packet->origin);
}

void PacketP__setOrigin(packet_t *packet, am_addr_t origin)
{
    nx_set16(&packet->origin, origin);
}

uint8_t PacketP__type(const packet_t *packet)
{
    return nx_get8(&packet->type);
}

void PacketP__setType(packet_t *packet, uint8_t type)
{
    nx_set8(&packet->type, type);
}

uint16_t PacketP__number(const packet_t *packet)
{
    return nx_get16(&packet->number);
}

void PacketP__setNumber(packet_t *packet, uint16_t number)
{
    nx_set16(&packet->number, number);
}
