// The trace over the radio, which the application starts: one line in a configuration, components MotehoundTraceRadioC;
#include "MotehoundTrace.h"

configuration MotehoundTraceRadioC { }
implementation {
  components ActiveMessageC;
  components new AMSenderC(AM_MOTEHOUND_TRACE) as Sender, new AMReceiverC(AM_MOTEHOUND_TRACE) as Receiver;
  components new MotehoundTraceP() as Service;

  Service.Receive -> Receiver;
  Service.AMSend -> Sender;
  Service.AMPacket -> Sender;
}
