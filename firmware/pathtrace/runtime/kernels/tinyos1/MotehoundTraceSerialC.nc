// The trace over the serial port: one line in a configuration, components MotehoundTraceSerialC;
includes MotehoundTrace;

configuration MotehoundTraceSerialC { }
implementation {
  components Main, GenericComm, MotehoundTraceSerialM;

  Main.StdControl -> GenericComm.Control;
  MotehoundTraceSerialM.ReceiveMsg -> GenericComm.ReceiveMsg[AM_MOTEHOUND_TRACE];
  MotehoundTraceSerialM.SendMsg -> GenericComm.SendMsg[AM_MOTEHOUND_TRACE];
}
