// Answers questions about the mote's trace. An answer that cannot be sent is lost: whoever asked asks again for what is missing.
#include "MotehoundTrace.h"

generic module MotehoundTraceP() {
  uses interface Receive;
  uses interface AMSend;
  uses interface AMPacket;
}
implementation {
  message_t message;
  am_addr_t asker;
  bool isSending;

  task void answer() {
    uint8_t room = call AMSend.maxPayloadLength();
    uint8_t *payload = call AMSend.getPayload(&message, room);
    uint8_t length;

    if (isSending || payload == NULL || !mh_trace_replying())
      return;
    length = mh_trace_reply(payload, room);
    if (length != 0 && call AMSend.send(asker, &message, length) == SUCCESS)
      isSending = TRUE;
    else
      post answer();
  }

  event message_t *Receive.receive(message_t *question, void *payload, uint8_t length) {
    if (mh_trace_request(payload, length)) {
      asker = call AMPacket.source(question);
      post answer();
    }
    return question;
  }

  event void AMSend.sendDone(message_t *sent, error_t error) {
    isSending = FALSE;
    post answer();
  }
}
