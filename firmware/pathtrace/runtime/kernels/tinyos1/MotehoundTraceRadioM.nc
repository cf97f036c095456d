// Answers questions about the mote's trace. An answer that cannot be sent is lost: whoever asked asks again for what is missing. A
// TinyOS 1 message does not say who sent it, so answers are for all that hear them.
includes MotehoundTrace;

module MotehoundTraceRadioM {
  uses interface ReceiveMsg;
  uses interface SendMsg;
}
implementation {
  TOS_Msg message;
  bool isSending;

  task void answer() {
    uint8_t length;

    if (isSending || !mh_trace_replying())
      return;
    length = mh_trace_reply((uint8_t *)message.data, TOSH_DATA_LENGTH);
    if (length != 0 && call SendMsg.send(TOS_BCAST_ADDR, length, &message))
      isSending = TRUE;
    else
      post answer();
  }

  event TOS_MsgPtr ReceiveMsg.receive(TOS_MsgPtr question) {
    if (mh_trace_request((uint8_t *)question->data, question->length))
      post answer();
    return question;
  }

  event result_t SendMsg.sendDone(TOS_MsgPtr sent, result_t success) {
    if (sent == &message) {
      isSending = FALSE;
      post answer();
    }
    return SUCCESS;
  }
}
