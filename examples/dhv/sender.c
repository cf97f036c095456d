#include "dhv.h"

enum { AM_DHV = 100 };

static message_t SenderP__message;
bool SenderP__isBusy;

// What is true, for whoever reads the memory of a mote.
uint16_t SenderP__refused;    // payloads: NULL was returned
uint16_t SenderP__sent;

void *SenderP__payload(uint8_t length)
{
    if (SenderP__isBusy || length > TOSH_DATA_LENGTH) {
        SenderP__refused++;
        return NULL;
    }
    return SenderP__message.data;
}

error_t SenderP__send(uint8_t length)
{
    error_t error = RadioC__send(TOS_BCAST_ADDR, AM_DHV, &SenderP__message, length);

    if (error == SUCCESS)
        SenderP__isBusy = true;
    return error;
}

void RadioC__sendDone(message_t *message, error_t error, bool wasAcked)
{
    SenderP__isBusy = false;
    if (error == SUCCESS)
        SenderP__sent++;
    SenderP__done();
}
