// The client: connects, tells the server something or not, asks for a page some times,
// every few seconds, and closes.
#include <string.h>

#include "leds.h"
#include "timer.h"
#include "tinytcp.h"

enum {
    FIRST_MS = 1024,
    PERIOD_MS = 5120,
    MAX_PAGE = 64,
    REQUEST_FRONT = 4,    // "get "
    ANSWER_FRONT = 2,
};

// What a scenario may change: whom to ask, how often over one connection (0: only for the
// shell), whether to tell something first, to which there is no answer, and how long after
// a connection that failed to begin again (0: never).
uint16_t ClientC__port = SERVER_PORT;
uint8_t ClientC__requests = 3;
uint8_t ClientC__tells = false;
uint16_t ClientC__againMs = 0;

static uint8_t ClientC__connection = NO_CONNECTION;
static uint8_t ClientC__left;    // requests
static bool ClientC__isForShell;
static bool ClientC__isTelling;

// The name is that of the first page, until the shell has been given another.
static char ClientC__name[MAX_NAME] = "index1";
static uint8_t ClientC__nameLength = MAX_NAME;

static struct {
    uint8_t at;    // bytes that came of it
    uint8_t status;
    uint8_t length;    // of its page
} ClientC__answer;

// What is true, for whoever reads the memory of a mote.
uint8_t ClientC__isConnected;
char ClientC__page[MAX_PAGE];     // the last one
uint8_t ClientC__pages;           // that came, complete
uint8_t ClientC__notFound;        // the server has none of that name
uint8_t ClientC__asked;           // what we said that the other side has acknowledged
uint8_t ClientC__closed;          // connections that ended as they should,
uint8_t ClientC__resets;          // those that were reset,
uint8_t ClientC__timeouts;        // and those on which nobody answered

// A function of its own, so that a scenario can have the port unknown when it begins.
__attribute__((noinline, noclone))
static void ClientC__connect(void)
{
    ClientC__connection = TcpC__connect(SERVER, ClientC__port);
}

static void ClientC__begin(void)
{
    ClientC__isForShell = false;
    ClientC__left = ClientC__requests;
    ClientC__connect();
}

void ClientC__start(void)
{
    if (ClientC__requests > 0)
        TimerC__startOneShot(ClientC__Next, FIRST_MS);
}

static void ClientC__ask(void)
{
    char request[REQUEST_FRONT + MAX_NAME + 1] = "get ";

    memcpy(request + REQUEST_FRONT, ClientC__name, ClientC__nameLength);
    request[REQUEST_FRONT + ClientC__nameLength] = '\n';
    memset(&ClientC__answer, 0, sizeof ClientC__answer);
    TcpC__send(ClientC__connection, request, REQUEST_FRONT + ClientC__nameLength + 1);
}

void ClientC__Next__fired(void)
{
    if (ClientC__connection == NO_CONNECTION)
        ClientC__begin();
    else
        ClientC__ask();
}

error_t ClientC__get(const char *name, uint8_t length)
{
    if (ClientC__connection != NO_CONNECTION)
        return EBUSY;
    memcpy(ClientC__name, name, length);
    ClientC__nameLength = length;
    ClientC__isForShell = true;
    ClientC__left = 1;
    ClientC__connect();
    return SUCCESS;
}

static void ClientC__tell(void)
{
    ClientC__isTelling = true;
    TcpC__send(ClientC__connection, "log on\n", sizeof "log on\n" - 1);
}

void ClientC__connected(void)
{
    ClientC__isConnected = true;
    LedsP__set(1);
    if (ClientC__tells)
        ClientC__tell();
    else
        ClientC__ask();
}

// Whoever acknowledges what we say should know that we are connected.
void ClientC__acknowledged(void)
{
    ClientC__asked++;    // ASSERT: connected here, connected there
    if (ClientC__isTelling)
        TimerC__startOneShot(ClientC__Next, PERIOD_MS);
    ClientC__isTelling = false;
}

static void ClientC__complete(void)
{
    bool isFound = ClientC__answer.status == ANSWER_FOUND;

    ClientC__pages += isFound;
    ClientC__notFound += !isFound;
    LedsP__toggle(LED1);
    if (ClientC__isForShell)
        ShellC__done(isFound);
    if (--ClientC__left == 0)
        TcpC__close(ClientC__connection);
    else
        TimerC__startOneShot(ClientC__Next, PERIOD_MS);
}

static void ClientC__keep(uint8_t byte)
{
    uint8_t at = ClientC__answer.at;

    if (at == 0)
        ClientC__answer.status = byte;
    else if (at == 1)
        ClientC__answer.length = byte;
    else if (at - ANSWER_FRONT < MAX_PAGE)
        ClientC__page[at - ANSWER_FRONT] = byte;
    ClientC__answer.at++;
}

// What comes after the answer is complete, nobody has asked for.
void ClientC__received(const uint8_t *data, uint8_t length)
{
    while (length-- > 0) {
        ClientC__keep(*data);
        if (ClientC__isForShell && ClientC__answer.at > ANSWER_FRONT)
            ShellC__show(data, 1);
        data++;
        if (ClientC__answer.at >= ANSWER_FRONT && ClientC__answer.at - ANSWER_FRONT == ClientC__answer.length) {
            ClientC__complete();
            return;
        }
    }
}

static void ClientC__count(tcp_end_t end)
{
    switch (end) {
    case TCP_BY_CLOSE:
        ClientC__closed++;
        break;
    case TCP_BY_RESET:
        ClientC__resets++;    // ASSERT: nobody resets a connection
        break;
    case TCP_BY_TIMEOUT:
        ClientC__timeouts++;    // ASSERT: the other side answers
        break;
    }
}

void ClientC__ended(tcp_end_t end)
{
    bool isMissed = ClientC__isForShell && ClientC__left > 0;

    ClientC__isConnected = false;
    ClientC__isTelling = false;
    ClientC__connection = NO_CONNECTION;
    LedsP__set(0);
    TimerC__stop(ClientC__Next);
    ClientC__count(end);
    if (isMissed)
        ShellC__done(false);
    if (end != TCP_BY_CLOSE && ClientC__againMs > 0)
        TimerC__startOneShot(ClientC__Next, ClientC__againMs);
}
