// Active messages over the serial port, in the frames that TinyOS's host tools
// speak (TEP 113):
//
//   7E  protocol  [sequence]  dispatch  message  CRC  7E
//
// Protocol 69 is a message, 68 one that wants the answer 67 with its sequence
// number. Dispatch 0 is active messages. The CRC (low byte first) is over all
// between the flags; there 7E and 7D are sent as 7D followed by the byte with
// bit 5 flipped.
#ifndef SERIAL_H
#define SERIAL_H

#include "kernel.h"
#include "message.h"

void SerialC__start(void);

// The message, with length bytes of data in it, belongs to the driver until
// SerialC__sendDone. ESIZE: it is too long. EBUSY: too many wait already.
error_t SerialC__send(am_addr_t dest, uint8_t type, message_t *message, uint8_t length);

// The two events are the app's, and run in tasks.
void SerialC__sendDone(message_t *message);

// A message arrived intact. What is returned becomes the driver's next receive
// buffer: the same one, when the app has done with it, or another one in
// exchange, when the app keeps it.
message_t *SerialC__receive(message_t *message, uint8_t length);

#endif
