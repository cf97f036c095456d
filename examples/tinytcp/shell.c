// The shell of a client that has its serial port to itself: lines, of which it knows one,
// "get NAME".
#include <string.h>

#include "tinytcp.h"
#include "uart.h"

enum {
    COMMAND_FRONT = 4,
    MAX_LINE = COMMAND_FRONT + MAX_NAME,
};

char ShellC__line[MAX_LINE];
static uint8_t ShellC__length;    // more than fits for one that is too long

// What is true, for whoever reads the memory of a mote.
uint8_t ShellC__commands;
uint8_t ShellC__unknown;

static void ShellC__print(const char *text)
{
    ShellC__show((const uint8_t *)text, strlen(text));
}

// What finds no room in the port's ring is lost.
void ShellC__show(const uint8_t *page, uint8_t length)
{
    while (length-- > 0 && UartP__space() > 0)
        UartP__put(*page++);
}

void ShellC__done(bool isFound)
{
    ShellC__print(isFound ? "ok\n" : "not found\n");
}

// A function of its own, so that a scenario can have the line unknown when it begins.
__attribute__((noinline, noclone))
static void ShellC__execute(void)
{
    if (ShellC__length <= COMMAND_FRONT || ShellC__length > MAX_LINE || memcmp(ShellC__line, "get ", COMMAND_FRONT) != 0) {
        ShellC__unknown++;
        ShellC__print("get what?\n");
        return;
    }
    ShellC__commands++;
    if (ClientC__get(ShellC__line + COMMAND_FRONT, ShellC__length - COMMAND_FRONT) != SUCCESS)
        ShellC__print("busy\n");
}

void ShellC__typed(char c)
{
    if (TOS_NODE_ID != CLIENT)
        return;
    if (c == '\n') {
        ShellC__execute();
        ShellC__length = 0;
        return;
    }
    if (ShellC__length < MAX_LINE)
        ShellC__line[ShellC__length] = c;
    if (ShellC__length <= MAX_LINE)
        ShellC__length++;
}
