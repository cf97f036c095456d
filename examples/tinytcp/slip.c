// Packets on a wire, in SLIP's frames (RFC 1055): END, the bytes, END. In between END is
// sent as ESC ESC_END, and ESC as ESC ESC_ESC.
#include "tinytcp.h"
#include "uart.h"

enum {
    SLIP_END = 0xC0,
    SLIP_ESC = 0xDB,
    SLIP_ESC_END = 0xDC,
    SLIP_ESC_ESC = 0xDD,

    MAX_ENCODED = 2,    // bytes on the wire for one
};

static struct {
    bool isBegun;
    uint8_t at;
} SlipP__tx;

packet_t SlipP__packet;    // that is coming in

static struct {
    uint8_t length;    // so far; more than fits for one that is too long
    bool isEscaped;
} SlipP__rx;

static void SlipP__put(uint8_t byte)
{
    if (byte == SLIP_END || byte == SLIP_ESC) {
        UartP__put(SLIP_ESC);
        byte = byte == SLIP_END ? SLIP_ESC_END : SLIP_ESC_ESC;
    }
    UartP__put(byte);
}

// As far as there is room, and on when the ring has drained.
void SlipP__encode__runTask(void)
{
    while (UartP__space() >= MAX_ENCODED) {
        uint8_t length;
        const packet_t *packet = LinkP__first(LINK_WIRE, &length);

        if (packet == NULL)
            return;
        if (!SlipP__tx.isBegun) {
            UartP__put(SLIP_END);
            SlipP__tx.isBegun = true;
            SlipP__tx.at = 0;
        } else if (SlipP__tx.at < length) {
            SlipP__put(((const uint8_t *)packet)[SlipP__tx.at++]);
        } else {
            UartP__put(SLIP_END);
            SlipP__tx.isBegun = false;
            LinkP__sent(LINK_WIRE);
        }
    }
}

void UartP__drained(void)
{
    post(SlipP__encode);
}

// Of a frame that is too long, only that it is. Between two ENDs there may be nothing.
static void SlipP__end(void)
{
    uint8_t length = SlipP__rx.length;

    SlipP__rx.length = 0;
    SlipP__rx.isEscaped = false;
    if (length > 0)
        NetC__receive(&SlipP__packet, length, LINK_WIRE);
}

void SlipP__byteReceived(uint8_t byte)
{
    if (byte == SLIP_END) {
        SlipP__end();
        return;
    }
    if (byte == SLIP_ESC) {
        SlipP__rx.isEscaped = true;
        return;
    }
    if (SlipP__rx.isEscaped)
        byte = byte == SLIP_ESC_END ? SLIP_END : byte == SLIP_ESC_ESC ? SLIP_ESC : byte;
    SlipP__rx.isEscaped = false;
    if (SlipP__rx.length < sizeof SlipP__packet)
        ((uint8_t *)&SlipP__packet)[SlipP__rx.length] = byte;
    if (SlipP__rx.length <= sizeof SlipP__packet)
        SlipP__rx.length++;
}
