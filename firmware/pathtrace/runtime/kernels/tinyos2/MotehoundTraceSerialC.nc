// The trace over the serial port: one line in a configuration, components MotehoundTraceSerialC;
#include "MotehoundTrace.h"

configuration MotehoundTraceSerialC { }
implementation {
  components MainC, SerialActiveMessageC, MotehoundTraceStartP;
  components new SerialAMSenderC(AM_MOTEHOUND_TRACE) as Sender, new SerialAMReceiverC(AM_MOTEHOUND_TRACE) as Receiver;
  components new MotehoundTraceP() as Service;

  MotehoundTraceStartP.Boot -> MainC;
  MotehoundTraceStartP.SplitControl -> SerialActiveMessageC;
  Service.Receive -> Receiver;
  Service.AMSend -> Sender;
  Service.AMPacket -> Sender;
}
