// Between tcp.c, segment.c and net.c.
#ifndef TCP_H
#define TCP_H

#include "tinytcp.h"

enum { NUM_CONNECTIONS = 2 };

typedef struct {
    tcp_state_t state;
    uint8_t peer;
    uint16_t localPort;
    uint16_t peerPort;
    uint16_t sendNext;       // what the other side expects, as far as we know
    uint16_t receiveNext;    // what we expect
    uint8_t outstanding;     // sequence numbers sent and not acknowledged: of data, or one for a SYN or FIN
    uint8_t timer;           // ticks until what is outstanding is sent again, or the state ends
    uint8_t tries;           // how often it was sent
    bool isClosing : 1;      // a FIN follows what is outstanding
    bool owesAck : 1;
    bool isOpen : 1;         // for the application, which has not heard of its end
    uint8_t data[MAX_DATA];
} connection_t;

extern connection_t TcpP__connections[NUM_CONNECTIONS];

// The sum over what a checksum is for. With it in the header, a packet is whole.
uint16_t NetC__checksum(const packet_t *packet, uint8_t length);

// A packet for this mote came, intact, with so many bytes of data.
void TcpP__arrived(const packet_t *packet, uint8_t length);

// Tells whether somebody listens to a port.
bool TcpP__isListening(uint16_t port);

// A connection that is closed, or NULL if all that are allowed are in use.
connection_t *TcpP__unused(void);

// The next sequence number to begin with.
uint16_t TcpP__initialSequence(void);

// Makes sure that what is outstanding will be sent again.
void TcpP__startTimer(void);

// Sends a segment with what is outstanding; one without; a reset in answer to a packet.
void TcpP__sendOutstanding(connection_t *connection);
void TcpP__sendAck(connection_t *connection);
void TcpP__sendReset(const packet_t *packet);

// A SYN or FIN takes a sequence number, and is sent.
void TcpP__sendControl(connection_t *connection);

// It is closed, or being closed: the application hears of it, once.
void TcpP__finish(connection_t *connection, tcp_end_t end);
void TcpP__tellEnd(connection_t *connection, tcp_end_t end);

// In a state which ends by itself, nothing is outstanding.
void TcpP__linger(connection_t *connection, tcp_state_t state);

static inline uint8_t TcpP__indexOf(const connection_t *connection)
{
    return connection - TcpP__connections;
}

#endif
