// The trace over the radio: one line in a configuration, components MotehoundTraceRadioC;
includes MotehoundTrace;

configuration MotehoundTraceRadioC { }
implementation {
  components Main, GenericComm, MotehoundTraceRadioM;

  Main.StdControl -> GenericComm.Control;
  MotehoundTraceRadioM.ReceiveMsg -> GenericComm.ReceiveMsg[AM_MOTEHOUND_TRACE];
  MotehoundTraceRadioM.SendMsg -> GenericComm.SendMsg[AM_MOTEHOUND_TRACE];
}
