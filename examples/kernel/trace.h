// The tracer's query service in active messages, for apps that are built with
// -DTRACED; firmware/pathtrace/runtime says what is in them. Such an app has the task
// TraceC__reply in its list.
#ifndef TRACE_H
#define TRACE_H

#include "message.h"

#ifdef TRACED

enum { AM_TRACE = 84 };

// True: the message is a request, and is being answered.
bool TraceC__take(const message_t *message, uint8_t length);

// A message that has nothing in it, or NULL. Then the app posts TraceC__reply when it
// has one. The app's, as is the next: sends it, with length bytes of data.
message_t *TraceC__lend(void);
error_t TraceC__send(am_addr_t to, message_t *message, uint8_t length);

#endif

#endif
