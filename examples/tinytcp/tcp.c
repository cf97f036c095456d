// Connections: their table, what they send, and when they send it again.
#include "tcp.h"

#include <string.h>

#include "timer.h"

enum {
    NUM_LISTENS = 3,
    TICK_MS = 512,
    RETRANSMIT_TICKS = 3,
    ANSWER_TICKS = 4,     // of a SYN/ACK: first, let the other side send its SYN again
    LINGER_TICKS = 20,    // more than the other side takes for all its tries
    FIRST_PORT = 1025,
    SEQUENCE_STEP = 1000,
};

connection_t TcpP__connections[NUM_CONNECTIONS];

static uint16_t TcpP__listens[NUM_LISTENS];    // ports; 0 for none
static uint16_t TcpP__lastPort = FIRST_PORT - 1;
static uint16_t TcpP__sequence;
static bool TcpP__isTicking;

// How much a mote has of what: a scenario may say that it is less.
uint8_t TcpP__room = NUM_CONNECTIONS;
uint8_t TcpP__synTries = 4;
uint8_t TcpP__tries = 6;

// What is true, for whoever reads the memory of a mote.
uint16_t TcpP__sentAgain;
uint16_t TcpP__resetsSent;
uint16_t TcpP__noRoom;    // for a connection that somebody asked for

void TcpC__listen(uint16_t port)
{
    for (uint8_t i = 0; i < NUM_LISTENS; i++) {
        if (TcpP__listens[i] == 0) {
            TcpP__listens[i] = port;
            return;
        }
    }
}

bool TcpP__isListening(uint16_t port)
{
    for (uint8_t i = 0; i < NUM_LISTENS; i++) {
        if (BUG != PORT_ZERO && TcpP__listens[i] == 0)    // BUG: an unused entry is as good
            continue;
        if (TcpP__listens[i] == port)
            return true;
    }
    return false;
}

connection_t *TcpP__unused(void)
{
    for (uint8_t i = 0; i < TcpP__room; i++) {
        if (TcpP__connections[i].state == TCP_CLOSED)
            return &TcpP__connections[i];
    }
    TcpP__noRoom++;
    return NULL;
}

uint16_t TcpP__initialSequence(void)
{
    TcpP__sequence += SEQUENCE_STEP;
    return TcpP__sequence;
}

static void TcpP__send(packet_t *packet, uint8_t length)
{
    nx_set8(&packet->hops, MAX_HOPS);
    nx_set8(&packet->from, TOS_NODE_ID);
    nx_set16(&packet->checksum, NetC__checksum(packet, length));
    NetC__send(packet, length);
}

static void TcpP__output(connection_t *connection, uint8_t flags, uint8_t length)
{
    packet_t packet;

    nx_set8(&packet.to, connection->peer);
    nx_set16(&packet.sourcePort, connection->localPort);
    nx_set16(&packet.destPort, connection->peerPort);
    nx_set16(&packet.sequence, connection->sendNext);
    nx_set16(&packet.acknowledged, connection->receiveNext);
    nx_set8(&packet.flags, flags);
    memcpy(packet.data, connection->data, length);
    connection->owesAck = false;
    TcpP__send(&packet, HEADER_SIZE + length);
}

void TcpP__sendAck(connection_t *connection)
{
    TcpP__output(connection, FLAG_ACK, 0);
}

void TcpP__sendOutstanding(connection_t *connection)
{
    connection->timer = connection->state == TCP_SYN_RCVD ? ANSWER_TICKS : RETRANSMIT_TICKS;
    switch (connection->state) {
    case TCP_SYN_SENT:
        TcpP__output(connection, FLAG_SYN, 0);
        break;
    case TCP_SYN_RCVD:
        TcpP__output(connection, FLAG_SYN | FLAG_ACK, 0);
        break;
    case TCP_ESTABLISHED:
        TcpP__output(connection, FLAG_ACK, connection->outstanding);
        break;
    default:
        TcpP__output(connection, FLAG_FIN | FLAG_ACK, 0);
    }
}

void TcpP__sendControl(connection_t *connection)
{
    connection->outstanding = 1;
    connection->tries = 1;
    TcpP__sendOutstanding(connection);
}

void TcpP__sendReset(const packet_t *packet)
{
    packet_t reset;

    TcpP__resetsSent++;
    nx_set8(&reset.to, nx_get8(&packet->from));
    reset.sourcePort = packet->destPort;
    reset.destPort = packet->sourcePort;
    reset.sequence = packet->acknowledged;
    nx_set16(&reset.acknowledged, nx_get16(&packet->sequence) + 1);
    nx_set8(&reset.flags, FLAG_RST | FLAG_ACK);
    TcpP__send(&reset, HEADER_SIZE);
}

void TcpP__startTimer(void)
{
    if (!TcpP__isTicking)
        TimerC__startPeriodic(TcpP__Tick, TICK_MS);
    TcpP__isTicking = true;
}

void TcpP__linger(connection_t *connection, tcp_state_t state)
{
    connection->state = state;
    connection->outstanding = 0;
    connection->timer = LINGER_TICKS;
}

void TcpP__tellEnd(connection_t *connection, tcp_end_t end)
{
    if (!connection->isOpen)
        return;
    connection->isOpen = false;
    TcpC__ended(TcpP__indexOf(connection), end);
}

void TcpP__finish(connection_t *connection, tcp_end_t end)
{
    connection->state = TCP_CLOSED;
    TcpP__tellEnd(connection, end);
}

// The other side does not answer. It is told, in case it only cannot be heard, unless it
// never said anything.
static void TcpP__giveUp(connection_t *connection)
{
    if (connection->state != TCP_SYN_SENT) {
        TcpP__resetsSent++;
        TcpP__output(connection, FLAG_RST | FLAG_ACK, 0);
    }
    TcpP__finish(connection, TCP_BY_TIMEOUT);
}

static void TcpP__tick(connection_t *connection)
{
    bool isOpening = connection->state == TCP_SYN_SENT || connection->state == TCP_SYN_RCVD;
    bool isLingering = connection->state == TCP_FIN_WAIT_2 || connection->state == TCP_TIME_WAIT;

    if ((connection->outstanding == 0 && !isLingering) || --connection->timer > 0)
        return;
    if (isLingering) {
        TcpP__finish(connection, TCP_BY_TIMEOUT);
    } else if (connection->tries == (isOpening ? TcpP__synTries : TcpP__tries)) {
        TcpP__giveUp(connection);
    } else {
        connection->tries++;
        TcpP__sentAgain++;
        TcpP__sendOutstanding(connection);
    }
}

void TcpP__Tick__fired(void)
{
    bool isUsed = false;

    for (uint8_t i = 0; i < NUM_CONNECTIONS; i++) {
        if (TcpP__connections[i].state == TCP_CLOSED)
            continue;
        isUsed = true;
        TcpP__tick(&TcpP__connections[i]);
    }
    if (isUsed)
        return;
    TimerC__stop(TcpP__Tick);
    TcpP__isTicking = false;
}

uint8_t TcpC__connect(uint8_t to, uint16_t port)
{
    connection_t *connection = TcpP__unused();

    if (connection == NULL)
        return NO_CONNECTION;
    memset(connection, 0, sizeof *connection);
    connection->state = TCP_SYN_SENT;
    connection->isOpen = true;
    connection->peer = to;
    connection->localPort = ++TcpP__lastPort;
    connection->peerPort = port;
    connection->sendNext = TcpP__initialSequence();
    TcpP__startTimer();
    TcpP__sendControl(connection);
    return TcpP__indexOf(connection);
}

error_t TcpC__send(uint8_t index, const void *data, uint8_t length)
{
    connection_t *connection = &TcpP__connections[index];

    if (connection->state != TCP_ESTABLISHED || connection->isClosing || length > MAX_DATA)
        return EINVAL;
    if (connection->outstanding > 0)
        return EBUSY;
    memcpy(connection->data, data, length);
    connection->outstanding = length;
    connection->tries = 1;
    TcpP__sendOutstanding(connection);
    return SUCCESS;
}

void TcpC__close(uint8_t index)
{
    connection_t *connection = &TcpP__connections[index];

    if (connection->state != TCP_ESTABLISHED)
        return;
    connection->isClosing = true;
    if (connection->outstanding > 0)
        return;
    connection->state = TCP_FIN_WAIT_1;
    TcpP__sendControl(connection);
}

void TcpC__abort(uint8_t index)
{
    connection_t *connection = &TcpP__connections[index];

    if (connection->state == TCP_CLOSED)
        return;
    TcpP__resetsSent++;
    TcpP__output(connection, FLAG_RST | FLAG_ACK, 0);
    connection->isOpen = false;
    connection->state = TCP_CLOSED;
}
