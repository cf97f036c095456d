// What the files of tinytcp know of each other, from the application down:
//
//   tinytcp.c   who a mote is
//   shell.c     commands from the serial port
//   client.c    connects, asks for a page, closes
//   server.c    pages
//   tcp.c       connections: their table, what they send, when they send it again
//   segment.c   what becomes of a segment that came
//   net.c       packets to a mote, and through it
//   link.c      the queues to the radio and to the wire
//   slip.c      frames on the wire
#ifndef TINYTCP_H
#define TINYTCP_H

#include "kernel.h"
#include "message.h"

// Which of its bugs a build has: -DBUG=...
enum { NO_BUG, PORT_ZERO, REPEATED_SYN, LATE_TIMER, SECOND_CONNECTION, NO_WATCHDOG };

// Who is who, by TOS_NODE_ID. All others are routers.
enum { CLIENT = 1, SERVER = 2 };

enum {
    SERVER_PORT = 7777,
    MAX_DATA = 14,
    MAX_HOPS = 4,
    MAX_NAME = 6,
};

// What a frame holds, on the air and on the wire. The checksum is over all that
// follows it, and nothing of that changes on the way.
typedef struct {
    nx_uint8_t hops;    // left
    nx_uint16_t checksum;
    nx_uint8_t to;
    nx_uint8_t from;
    nx_uint16_t sourcePort;
    nx_uint16_t destPort;
    nx_uint16_t sequence;
    nx_uint16_t acknowledged;
    nx_uint8_t flags;
    uint8_t data[MAX_DATA];
} packet_t;

enum { HEADER_SIZE = sizeof(packet_t) - MAX_DATA };

enum {
    FLAG_FIN = 1,
    FLAG_SYN = 2,
    FLAG_RST = 4,
    FLAG_ACK = 16,
};

// Links.

enum { LINK_RADIO, LINK_WIRE, NUM_LINKS };

// Which links a mote has. The serial port is either the wire or the shell's.
extern uint8_t LinkC__useRadio;
extern uint8_t LinkC__useWire;

// LinkC__started follows.
void LinkC__start(void);
void LinkC__started(void);

// Takes a copy. What finds no room is lost.
void LinkC__send(uint8_t link, const packet_t *packet, uint8_t length);

// What waits for a link: the oldest, or NULL; and it is sent.
const packet_t *LinkP__first(uint8_t link, uint8_t *length);
void LinkP__sent(uint8_t link);

void SlipP__byteReceived(uint8_t byte);

// Packets.

void NetC__send(const packet_t *packet, uint8_t length);
void NetC__receive(const packet_t *packet, uint8_t length, uint8_t link);

// Connections, by their index. Everything is for tasks only.

enum { NO_CONNECTION = 255 };

typedef enum {
    TCP_CLOSED,
    TCP_SYN_SENT,
    TCP_SYN_RCVD,
    TCP_ESTABLISHED,
    TCP_FIN_WAIT_1,
    TCP_FIN_WAIT_2,
    TCP_CLOSING,
    TCP_TIME_WAIT,
    TCP_LAST_ACK,
} __attribute__((packed)) tcp_state_t;

// Why a connection ended: the other side closed it, or both have; the other side
// reset it; the other side does not answer.
typedef enum { TCP_BY_CLOSE, TCP_BY_RESET, TCP_BY_TIMEOUT } __attribute__((packed)) tcp_end_t;

// Accepts connections to a port.
void TcpC__listen(uint16_t port);

// NO_CONNECTION: there is no room for one.
uint8_t TcpC__connect(uint8_t to, uint16_t port);

// One segment is on its way at a time. EBUSY: the one before is not acknowledged.
// EINVAL: the connection is not established.
error_t TcpC__send(uint8_t connection, const void *data, uint8_t length);

// Once what was sent is acknowledged.
void TcpC__close(uint8_t connection);

// At once, with a reset. No event follows.
void TcpC__abort(uint8_t connection);

// Events. A connection is connected (by us) or accepted (from there) once, then may
// receive, have what it sent acknowledged, and end.
void TcpC__connected(uint8_t connection);
void TcpC__accepted(uint8_t connection, uint16_t port);
void TcpC__received(uint8_t connection, const uint8_t *data, uint8_t length);
void TcpC__acknowledged(uint8_t connection);
void TcpC__ended(uint8_t connection, tcp_end_t end);

// The same, for those who have the connection.

void ClientC__connected(void);
void ClientC__received(const uint8_t *data, uint8_t length);
void ClientC__acknowledged(void);
void ClientC__ended(tcp_end_t end);

void ServerC__accepted(uint8_t connection);
void ServerC__received(uint8_t connection, const uint8_t *data, uint8_t length);
void ServerC__acknowledged(uint8_t connection);
void ServerC__ended(uint8_t connection);

// A request is "get ", a name and a newline. The answer is one byte for how it went,
// one with the length of the page, and the page.
enum {
    ANSWER_FOUND = '2',
    ANSWER_NOT_FOUND = '4',
};

void ServerC__start(void);

// Whether and how the client begins by itself.
void ClientC__start(void);

// Gets one page, for the shell. EBUSY: the last one is not complete.
error_t ClientC__get(const char *name, uint8_t length);

void ShellC__typed(char c);

// A page for the shell has come so far; and how it went: it is complete, or not to be
// had.
void ShellC__show(const uint8_t *page, uint8_t length);
void ShellC__done(bool isFound);

#endif
