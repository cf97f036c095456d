// Motehound's query service, as far as its components call it; see motehound_trace.h. trace cc links it.
#ifndef MOTEHOUND_TRACE_COMPONENT_H
#define MOTEHOUND_TRACE_COMPONENT_H

extern unsigned char mh_trace_request(const unsigned char *request, unsigned char length);
extern unsigned char mh_trace_reply(unsigned char *out, unsigned char room);
extern unsigned char mh_trace_replying(void);

// The type of the active messages with questions and answers.
enum { AM_MOTEHOUND_TRACE = 84 };

#endif
