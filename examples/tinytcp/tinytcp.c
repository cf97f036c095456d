// Tinytcp: a small TCP, over the radio or over a wire between serial ports, with the bugs
// that KleeNet found in uIP (Sasnauskas and others, IPSN 2010), in code of our own.
//
// What one must see: mote 1, the client, connects to port 7777 of mote 2, the server,
// after a second, asks for a page three times, every five seconds, and closes the
// connection. LED 0 is on while it is connected, LED 1 changes with each page. A client
// that is told to ask for nothing has a shell: the line "get index1" on its serial port
// shows that page there. All other motes are routers. There is no fragmentation and one
// segment at a time, so pages come in pieces of 14 bytes.
//
// The bugs, one in each of five builds:
//
//   PORT_ZERO          unused entries in the list of ports are 0, and so is a port that
//                      someone may ask for: there the stack accepts, acknowledges and
//                      closes connections of which the server knows nothing.
//   REPEATED_SYN       a SYN that comes again in SYN_RCVD, because the SYN/ACK was lost,
//                      is taken for a segment out of order. Its answer, an ACK, makes
//                      the client reset the connection.
//   LATE_TIMER         the timer of connections is started when one is established, or
//                      is being opened from here. A client that goes away before that
//                      leaves the server in SYN_RCVD for ever.
//   SECOND_CONNECTION  no SYN reaches a connection that exists. That mends REPEATED_SYN,
//                      but if the SYN comes twice, there are two connections with the
//                      same ends. The second hears of no ACK, and in the end resets
//                      the client.
//   NO_WATCHDOG        TCP itself says nothing on a connection on which nobody speaks.
//                      Without a watchdog in the server, a client that is gone stays
//                      connected for ever. (uIP leaves that to applications: the paper
//                      has it as an observation.)
//
// A run in which no frame is lost or comes twice, no mote fails and nobody asks for port 0
// shows none of them. What must be found is in port.star, loss.star, stuck.star,
// duplicate.star and outage.star; shell.star has a router.
#include "tinytcp.h"

void BootC__booted(void)
{
    LinkC__start();
}

void LinkC__started(void)
{
    if (TOS_NODE_ID == CLIENT)
        ClientC__start();
    else if (TOS_NODE_ID == SERVER)
        ServerC__start();
}

void TcpC__connected(uint8_t connection)
{
    ClientC__connected();
}

void TcpC__accepted(uint8_t connection, uint16_t port)
{
    if (port == SERVER_PORT)
        ServerC__accepted(connection);
}

void TcpC__received(uint8_t connection, const uint8_t *data, uint8_t length)
{
    if (TOS_NODE_ID == CLIENT)
        ClientC__received(data, length);
    else
        ServerC__received(connection, data, length);
}

void TcpC__acknowledged(uint8_t connection)
{
    if (TOS_NODE_ID == CLIENT)
        ClientC__acknowledged();
    else
        ServerC__acknowledged(connection);
}

void TcpC__ended(uint8_t connection, tcp_end_t end)
{
    if (TOS_NODE_ID == CLIENT)
        ClientC__ended(end);
    else
        ServerC__ended(connection);
}
