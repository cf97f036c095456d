// Which way a packet goes.
#include "router.h"

bool EngineP__isForMe(const packet_t *packet)
{
    return PacketP__destination(packet) == AddressP__address();
}

route_t EngineP__selectRoute(const packet_t *packet, am_addr_t destination, am_addr_t *nextHop)
{
    if (EngineP__isForMe(packet))
        return ROUTE_ENDS_HERE;
    if (TableP__getRoute(destination, nextHop) != SUCCESS)
        return ROUTE_PENDING;
    return ROUTE_FOUND;
}
