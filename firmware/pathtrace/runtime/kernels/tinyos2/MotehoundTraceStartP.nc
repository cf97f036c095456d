// Starts the serial port, if the application does not.
module MotehoundTraceStartP {
  uses interface Boot;
  uses interface SplitControl;
}
implementation {
  event void Boot.booted() {
    call SplitControl.start();
  }

  event void SplitControl.startDone(error_t error) {
    if (error != SUCCESS)
      call SplitControl.start();
  }

  event void SplitControl.stopDone(error_t error) { }
}
