// What becomes of a segment: which connection it is for, if any, and what that does. The
// order of the questions is uIP's.
#include <string.h>

#include "tcp.h"

// A segment as its connection sees it.
typedef struct {
    uint16_t sequence;
    uint8_t flags;
    uint8_t length;
    bool isAcked;    // what was outstanding is acknowledged
    const uint8_t *data;
} segment_t;

// What is true, for whoever reads the memory of a mote.
uint16_t TcpP__received;
uint16_t TcpP__outOfOrder;
uint8_t TcpP__doubled;    // connections with the ends of one that exists

static connection_t *TcpP__find(const packet_t *packet)
{
    for (uint8_t i = 0; i < NUM_CONNECTIONS; i++) {
        connection_t *connection = &TcpP__connections[i];

        if (connection->state != TCP_CLOSED && connection->localPort == nx_get16(&packet->destPort) &&
            connection->peerPort == nx_get16(&packet->sourcePort) && connection->peer == nx_get8(&packet->from))
            return connection;
    }
    return NULL;
}

// Somebody wants a connection. Without room nothing is said: it may try again.
static void TcpP__open(const packet_t *packet)
{
    connection_t *connection = TcpP__unused();

    if (connection == NULL)
        return;
    TcpP__doubled += TcpP__find(packet) != NULL;
    memset(connection, 0, sizeof *connection);
    connection->state = TCP_SYN_RCVD;
    connection->peer = nx_get8(&packet->from);
    connection->localPort = nx_get16(&packet->destPort);
    connection->peerPort = nx_get16(&packet->sourcePort);
    connection->sendNext = TcpP__initialSequence();
    connection->receiveNext = nx_get16(&packet->sequence) + 1;
    if (BUG != LATE_TIMER)    // BUG: it is started when the connection is established
        TcpP__startTimer();
    TcpP__sendControl(connection);
}

static void TcpP__synSent(connection_t *connection, const segment_t *segment, const packet_t *packet)
{
    if (!segment->isAcked || !(segment->flags & FLAG_SYN)) {
        TcpP__sendReset(packet);
        TcpP__finish(connection, TCP_BY_RESET);
        return;
    }
    connection->state = TCP_ESTABLISHED;
    connection->receiveNext = segment->sequence + 1;
    connection->owesAck = true;
    TcpC__connected(TcpP__indexOf(connection));
}

// A FIN that comes while something of ours is outstanding has to come again.
static void TcpP__established(connection_t *connection, const segment_t *segment)
{
    uint8_t index = TcpP__indexOf(connection);

    if (segment->isAcked)
        TcpC__acknowledged(index);
    if (segment->length > 0 && connection->state == TCP_ESTABLISHED) {
        connection->receiveNext += segment->length;
        connection->owesAck = true;
        TcpC__received(index, segment->data, segment->length);
    }
    if (connection->state != TCP_ESTABLISHED || connection->outstanding > 0)
        return;
    if (segment->flags & FLAG_FIN) {
        connection->receiveNext++;
        connection->state = TCP_LAST_ACK;
        TcpP__sendControl(connection);
        TcpP__tellEnd(connection, TCP_BY_CLOSE);
    } else if (connection->isClosing) {
        TcpC__close(index);
    }
}

// Whatever still comes is acknowledged, and of no use.
static void TcpP__finWait(connection_t *connection, const segment_t *segment)
{
    bool isFin = segment->flags & FLAG_FIN;

    connection->receiveNext += segment->length + isFin;
    connection->owesAck = segment->length > 0 || isFin;
    if (segment->isAcked && !isFin) {
        TcpP__linger(connection, TCP_FIN_WAIT_2);
    } else if (connection->outstanding > 0 && isFin) {
        connection->state = TCP_CLOSING;
    } else if (isFin) {
        TcpP__linger(connection, TCP_TIME_WAIT);
        TcpP__tellEnd(connection, TCP_BY_CLOSE);
    }
}

static void TcpP__advance(connection_t *connection, const segment_t *segment, const packet_t *packet)
{
    switch (connection->state) {
    case TCP_SYN_SENT:
        TcpP__synSent(connection, segment, packet);
        break;
    case TCP_SYN_RCVD:
        if (!segment->isAcked)
            break;
        connection->state = TCP_ESTABLISHED;
        connection->isOpen = true;
        TcpP__startTimer();
        TcpC__accepted(TcpP__indexOf(connection), connection->localPort);
        segment_t rest = *segment;
        rest.isAcked = false;    // that was the SYN
        TcpP__established(connection, &rest);
        break;
    case TCP_ESTABLISHED:
        TcpP__established(connection, segment);
        break;
    case TCP_FIN_WAIT_1:
    case TCP_FIN_WAIT_2:
        TcpP__finWait(connection, segment);
        break;
    case TCP_CLOSING:
        if (!segment->isAcked)
            break;
        TcpP__linger(connection, TCP_TIME_WAIT);
        TcpP__tellEnd(connection, TCP_BY_CLOSE);
        break;
    case TCP_LAST_ACK:
        if (segment->isAcked)
            connection->state = TCP_CLOSED;
        break;
    case TCP_TIME_WAIT:
    case TCP_CLOSED:
        break;
    }
    if (connection->state != TCP_CLOSED && connection->owesAck)
        TcpP__sendAck(connection);
}

// Data, a SYN or a FIN that is not the next one: out of order, or known already.
static bool TcpP__isOutOfOrder(const connection_t *connection, const segment_t *segment)
{
    if (connection->state == TCP_SYN_SENT)
        return false;
    return (segment->length > 0 || (segment->flags & (FLAG_SYN | FLAG_FIN))) &&
           segment->sequence != connection->receiveNext;
}

static void TcpP__accept(connection_t *connection, segment_t *segment, const packet_t *packet)
{
    if (segment->flags & FLAG_RST) {
        TcpP__finish(connection, TCP_BY_RESET);
        return;
    }
    if (connection->state == TCP_SYN_RCVD && segment->flags == FLAG_SYN && BUG != REPEATED_SYN) {    // BUG: left out
        TcpP__sendOutstanding(connection);
        return;
    }
    if (TcpP__isOutOfOrder(connection, segment)) {
        TcpP__outOfOrder++;
        TcpP__sendAck(connection);
        return;
    }
    if ((segment->flags & FLAG_ACK) && connection->outstanding > 0 &&
        nx_get16(&packet->acknowledged) == (uint16_t)(connection->sendNext + connection->outstanding)) {
        connection->sendNext += connection->outstanding;
        connection->outstanding = 0;
        segment->isAcked = true;
    }
    TcpP__advance(connection, segment, packet);
}

void TcpP__arrived(const packet_t *packet, uint8_t length)
{
    segment_t segment = {
        .sequence = nx_get16(&packet->sequence),
        .flags = nx_get8(&packet->flags),
        .length = length,
        .data = packet->data,
    };
    connection_t *connection = TcpP__find(packet);

    TcpP__received++;
    if (BUG == SECOND_CONNECTION && segment.flags == FLAG_SYN)    // BUG: whatever there is
        connection = NULL;
    if (connection != NULL)
        TcpP__accept(connection, &segment, packet);
    else if (segment.flags == FLAG_SYN && TcpP__isListening(nx_get16(&packet->destPort)))
        TcpP__open(packet);
    else if (!(segment.flags & FLAG_RST))
        TcpP__sendReset(packet);
}
