// Active messages over the air, the same on every board with a radio. What is on
// the air is in ieee154.h. An app that uses it has RADIO_TASKS and RADIO_TIMERS
// in its lists, and either RADIO_ADC_TASKS or, when it reads the ADC itself,
// ADC_TASKS; and RADIO_ADC_CLIENTS. To be used in tasks only; the events run in
// tasks.
//
// Each driver listens before it sends: it waits a random time, and as long as
// the channel is busy another one, 16 times at most. How long things take:
//
//                          MicaZ               Mica2
//   first wait             0.3 to 9.9 ms       0.4 to 13 ms
//   further waits          0.3 to 2.6 ms       0.4 to 19 ms
//   on the air, n bytes    0.6 + 0.032 n ms    10.9 + 0.42 n ms
//   acknowledged within    1 ms                8 ms
#ifndef RADIO_H
#define RADIO_H

#include "kernel.h"
#include "message.h"

// How a message came.
typedef struct {
    int8_t rssi;       // dBm
    uint8_t lqi;       // from 50, hardly readable, to 110, faultless; 0 on a Mica2, which cannot tell
    bool hasTime;      // the next is known
    uint32_t time;     // by MicroC__now, when the frame's start delimiter had come
} radio_info_t;

// Calls RadioC__startDone. EBUSY: it is on, or starting.
error_t RadioC__start(void);

// FAIL: the chip does not answer, or its clock does not settle. One may start again.
void RadioC__startDone(error_t error);

// The message, with length bytes of data in it, belongs to the driver until
// RadioC__sendDone. EOFF: the radio is not started. ESIZE: it is too long.
// EBUSY: the one before is not done.
error_t RadioC__send(am_addr_t dest, uint8_t type, message_t *message, uint8_t length);

// SUCCESS: it was sent, and wasAcked says whether it was acknowledged, which only
// a message to a single mote can be. EBUSY: the channel never was free. FAIL: the
// chip did not send it.
void RadioC__sendDone(message_t *message, error_t error, bool wasAcked);

// When the start delimiter of the last message sent was on the air, by
// MicroC__now.
uint32_t RadioC__sentAt(void);

// A message to this mote or to all came, intact. If it asked for an
// acknowledgement, that is being sent. What is returned becomes the driver's next
// receive buffer, as in serial.h.
message_t *RadioC__receive(message_t *message, uint8_t length, const radio_info_t *info);

// Sending power, from the next message on. The chip has steps: the nearest that
// is not above dBm is taken, or its lowest.
void RadioC__setPower(int8_t dBm);
int8_t RadioC__getPower(void);

#endif
