// What the files of serialbuf know of each other:
//
//   serialbuf.c    what a mote does with its messages
//   dispatcher.c   frames into two buffers
#ifndef SERIALBUF_H
#define SERIALBUF_H

#include "kernel.h"
#include "message.h"

// Which of its bugs a build has: -DBUG=...
enum { NO_BUG, REVERSED, LOCKED };

// A message came intact. The buffer is locked until this returns.
void SerialbufC__receive(const message_t *message, uint8_t length);

#endif
