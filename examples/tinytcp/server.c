// The server: pages by their names. It closes no connection, but one on which nothing
// happens any more.
#include <string.h>

#include "tcp.h"
#include "timer.h"

enum {
    ANSWER_FRONT = 2,
    REQUEST_FRONT = 4,    // "get "
    WATCHDOG_MS = 10240,
    MAX_IDLE = 3,
};

static const struct {
    char name[MAX_NAME + 1];
    const char *text;
} ServerC__contents[] = {
    { "index1", "<h1>Mote 2</h1><p>All is well.</p>\n" },
    { "status", "up\n" },
};

// Those who are connected: by connection.
static struct {
    bool isOpen;
    uint8_t idle;    // turns of the watchdog since something happened
    uint8_t status;
    uint8_t length;
    uint8_t at;    // of the page, sent
    const char *text;
} ServerC__sessions[NUM_CONNECTIONS];

// What is true, for whoever reads the memory of a mote.
uint8_t ServerC__isConnected;    // clients that are
uint8_t ServerC__visits;         // clients that were
uint8_t ServerC__requests;
uint8_t ServerC__expired;        // connections that the watchdog ended

void ServerC__start(void)
{
    TcpC__listen(SERVER_PORT);
    if (BUG != NO_WATCHDOG)    // BUG: the watchdog is missing
        TimerC__startPeriodic(ServerC__Watchdog, WATCHDOG_MS);
}

void ServerC__accepted(uint8_t connection)
{
    memset(&ServerC__sessions[connection], 0, sizeof ServerC__sessions[connection]);
    ServerC__sessions[connection].isOpen = true;
    ServerC__isConnected++;
    ServerC__visits++;
}

void ServerC__ended(uint8_t connection)
{
    if (!ServerC__sessions[connection].isOpen)
        return;
    ServerC__sessions[connection].isOpen = false;
    ServerC__isConnected--;
}

// The first piece has the front in it.
static void ServerC__sendPiece(uint8_t connection)
{
    uint8_t piece[MAX_DATA];
    uint8_t at = ServerC__sessions[connection].at;
    uint8_t left = ServerC__sessions[connection].length - at;
    uint8_t front = 0;

    if (at == 0) {
        piece[0] = ServerC__sessions[connection].status;
        piece[1] = left;
        front = ANSWER_FRONT;
    }
    if (left > MAX_DATA - front)
        left = MAX_DATA - front;
    memcpy(piece + front, ServerC__sessions[connection].text + at, left);
    ServerC__sessions[connection].at += left;
    TcpC__send(connection, piece, front + left);
}

static const char *ServerC__find(const char *name, uint8_t length)
{
    for (uint8_t i = 0; i < sizeof ServerC__contents / sizeof ServerC__contents[0]; i++) {
        const char *candidate = ServerC__contents[i].name;
        uint8_t at = 0;

        while (at < length && candidate[at] == name[at])
            at++;
        if (at == length && candidate[at] == 0)
            return ServerC__contents[i].text;
    }
    return NULL;
}

// A request is one segment. What is none gets no answer.
void ServerC__received(uint8_t connection, const uint8_t *data, uint8_t length)
{
    const char *text;

    if (!ServerC__sessions[connection].isOpen || length <= REQUEST_FRONT || data[length - 1] != '\n' ||
        memcmp(data, "get ", REQUEST_FRONT) != 0)
        return;
    ServerC__requests++;
    text = ServerC__find((const char *)data + REQUEST_FRONT, length - REQUEST_FRONT - 1);
    ServerC__sessions[connection].idle = 0;
    ServerC__sessions[connection].status = text != NULL ? ANSWER_FOUND : ANSWER_NOT_FOUND;
    ServerC__sessions[connection].text = text;
    ServerC__sessions[connection].length = text != NULL ? strlen(text) : 0;
    ServerC__sessions[connection].at = 0;
    ServerC__sendPiece(connection);
}

void ServerC__acknowledged(uint8_t connection)
{
    if (ServerC__sessions[connection].isOpen && ServerC__sessions[connection].at < ServerC__sessions[connection].length)
        ServerC__sendPiece(connection);
}

void ServerC__Watchdog__fired(void)
{
    for (uint8_t i = 0; i < NUM_CONNECTIONS; i++) {
        if (!ServerC__sessions[i].isOpen || ++ServerC__sessions[i].idle < MAX_IDLE)
            continue;
        ServerC__expired++;
        TcpC__abort(i);
        ServerC__ended(i);
    }
}
