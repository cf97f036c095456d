// Packets: those for this mote are TCP's; a router passes on the others.
#include "tcp.h"
#include "tinytcp.h"

// What is true, for whoever reads the memory of a mote.
uint16_t NetP__forwarded;
uint16_t NetP__refused;    // too short, too long, damaged, or too many hops

// Words, high byte first, added with the carries coming in again at the low end: all at
// once, at last (RFC 1071).
uint16_t NetC__checksum(const packet_t *packet, uint8_t length)
{
    const uint8_t *bytes = &packet->to.nxdata[0];
    const uint8_t *end = (const uint8_t *)packet + length;
    uint32_t sum = 0;

    for (; bytes + 1 < end; bytes += 2)
        sum += (uint16_t)bytes[0] << 8 | bytes[1];
    if (bytes < end)
        sum += (uint16_t)bytes[0] << 8;
    sum = (uint16_t)sum + (sum >> 16);
    return sum + (sum >> 16);
}

void NetC__send(const packet_t *packet, uint8_t length)
{
    if (LinkC__useWire)
        LinkC__send(LINK_WIRE, packet, length);
    if (LinkC__useRadio)
        LinkC__send(LINK_RADIO, packet, length);
}

// Out by the other link, or, of a router with one, by the same: its neighbours do not
// all hear each other.
static void NetP__forward(const packet_t *packet, uint8_t length, uint8_t link)
{
    packet_t copy = *packet;
    uint8_t hops = nx_get8(&packet->hops);

    if (hops == 0) {
        NetP__refused++;
        return;
    }
    nx_set8(&copy.hops, hops - 1);
    NetP__forwarded++;
    if (LinkC__useRadio && LinkC__useWire)
        LinkC__send(!link, &copy, length);
    else
        LinkC__send(link, &copy, length);
}

// A packet that is not for us and from the other side of a router is none of our
// business.
void NetC__receive(const packet_t *packet, uint8_t length, uint8_t link)
{
    uint8_t to;

    if (length < HEADER_SIZE || length > sizeof *packet) {
        NetP__refused++;
        return;
    }
    to = nx_get8(&packet->to);
    if (to != TOS_NODE_ID) {
        if (TOS_NODE_ID != CLIENT && TOS_NODE_ID != SERVER)
            NetP__forward(packet, length, link);
        return;
    }
    if (NetC__checksum(packet, length) != nx_get16(&packet->checksum)) {
        NetP__refused++;
        return;
    }
    TcpP__arrived(packet, length - HEADER_SIZE);
}
