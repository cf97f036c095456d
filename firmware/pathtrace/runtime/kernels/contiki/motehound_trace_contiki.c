// A Contiki process that answers questions about the mote's trace. trace cc --query links it with the file that has main, and has it
// started: the application stays as it is.
//
// Over the serial port (that of printf), in lines of text: mh, the mote's id, and the question or a piece of the answer, in hexadecimal. What is for
// another mote goes over the radio as a broadcast of Rime, and so do the answers back: any traced mote is a base station, too.
//
// The id is what the lowest two bytes of the mote's link-layer address are; FFFF is whoever reads it.
#include "contiki.h"
#include "dev/serial-line.h"
#include "net/linkaddr.h"

#include <stdio.h>
#include <string.h>

#include "motehound_trace.h"

#ifdef __AVR__
#include "dev/rs232.h"
#endif

// Whether there is Rime for the radio.
#ifndef MH_TRACE_RIME
#define MH_TRACE_RIME (!NETSTACK_CONF_WITH_IPV6)
#endif

enum {
    MH_CHANNEL = 144,
    MH_ROOM = 48,         // bytes of an answer
    MH_NEAR = 1,          // who asked is at the serial port
    MH_FAR = 2,           // or somewhere on the air
    MH_EVERYONE = 0xFFFF,
    MH_QUESTION = 0x51,
};

PROCESS(motehound_trace_process, "Motehound's trace");

static unsigned char mh_asker;

void mh_trace_begin(void)
{
    process_start(&motehound_trace_process, NULL);
}

static unsigned short mh_id(void)
{
    const unsigned char *a = linkaddr_node_addr.u8;

    return sizeof linkaddr_node_addr == 2 ? a[0] | (unsigned short)a[1] << 8 : a[7] | (unsigned short)a[6] << 8;
}

static void mh_print(unsigned char byte)
{
    putchar("0123456789abcdef"[byte >> 4]);
    putchar("0123456789abcdef"[byte & 15]);
}

static void mh_tell(unsigned short id, const unsigned char *bytes, unsigned char length)
{
    putchar('m');
    putchar('h');
    putchar(' ');
    mh_print(id >> 8);
    mh_print((unsigned char)id);
    putchar(' ');
    while (length-- != 0)
        mh_print(*bytes++);
    putchar('\n');
}

static void mh_ask(const unsigned char *question, unsigned char length, unsigned char asker)
{
    if (mh_trace_request(question, length)) {
        mh_asker = asker;
        process_poll(&motehound_trace_process);
    }
}

#if MH_TRACE_RIME
#include "net/rime/rime.h"

// The id of the mote that is asked or answers, and a question or an answer.
static void mh_received(struct broadcast_conn *connection, const linkaddr_t *from)
{
    const unsigned char *bytes = packetbuf_dataptr();
    unsigned char length = packetbuf_datalen();
    unsigned short id;

    if (length < 4)
        return;
    id = bytes[0] | (unsigned short)bytes[1] << 8;
    if (bytes[2] != MH_QUESTION)
        mh_tell(id, bytes + 2, length - 2);
    else if (id == mh_id())
        mh_ask(bytes + 2, length - 2, MH_FAR);
}

static const struct broadcast_callbacks mh_callbacks = {mh_received};
static struct broadcast_conn mh_connection;

static void mh_send(unsigned short id, const unsigned char *bytes, unsigned char length)
{
    unsigned char *out;

    packetbuf_clear();
    out = packetbuf_dataptr();
    out[0] = (unsigned char)id;
    out[1] = id >> 8;
    memcpy(out + 2, bytes, length);
    packetbuf_set_datalen(length + 2);
    broadcast_send(&mh_connection);
}
#endif

static signed char mh_digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static void mh_take(const char *line)
{
    unsigned char bytes[20], length = 0;
    unsigned short id;

    if (line == NULL || strncmp(line, "mh ", 3) != 0)
        return;
    for (line += 3; length < sizeof bytes; line += 2) {
        if (*line == ' ')
            line++;
        if (mh_digit(line[0]) < 0 || mh_digit(line[1]) < 0)
            break;
        bytes[length++] = (unsigned char)(mh_digit(line[0]) << 4 | mh_digit(line[1]));
    }
    if (length < 3)
        return;
    id = (unsigned short)bytes[0] << 8 | bytes[1];
    if (id == mh_id() || id == MH_EVERYONE)
        mh_ask(bytes + 2, length - 2, MH_NEAR);
#if MH_TRACE_RIME
    else
        mh_send(id, bytes + 2, length - 2);
#endif
}

// One piece. Those on the air come at a distance: each takes as long as the others sleep.
static void mh_answer(struct etimer *timer)
{
    unsigned char bytes[MH_ROOM], length;

    if (!mh_trace_replying())
        return;
    length = mh_trace_reply(bytes, sizeof bytes);
#if MH_TRACE_RIME
    if (length != 0 && mh_asker == MH_FAR) {
        mh_send(mh_id(), bytes, length);
        etimer_set(timer, CLOCK_SECOND / 4);
        return;
    }
#endif
    if (length != 0)
        mh_tell(mh_id(), bytes, length);
    process_poll(&motehound_trace_process);
}

PROCESS_THREAD(motehound_trace_process, ev, data)
{
    static struct etimer timer;

    PROCESS_BEGIN();
    serial_line_init();
#ifdef __AVR__
    rs232_set_input(RS232_PORT_0, serial_line_input_byte);
#endif
#if MH_TRACE_RIME
    broadcast_open(&mh_connection, MH_CHANNEL, &mh_callbacks);
#endif
    for (;;) {
        PROCESS_WAIT_EVENT();
        if (ev == serial_line_event_message)
            mh_take(data);
        else if (ev == PROCESS_EVENT_POLL || ev == PROCESS_EVENT_TIMER)
            mh_answer(&timer);
    }
    PROCESS_END();
}
