// What the files of pollute know of each other:
//
//   pollute.c    readings, packets
//   spectrum.c   at which frequency it shakes most
#ifndef POLLUTE_H
#define POLLUTE_H

#include "kernel.h"

// One more reading. For a handler.
void SpectrumP__put(uint16_t reading);

// Of the readings of the last 560 ms, of which there is one each period ms (the fixed
// build leaves some out, and its spectrum is the poorer for it). Takes time with the
// square of their number. For a task.
void SpectrumP__analyse(uint16_t period);

#endif
