// The light sensor: powered for each reading, and only that long. An app that
// uses it has PHOTO_TIMERS and PHOTO_ADC_CLIENTS in its lists.
#ifndef PHOTO_H
#define PHOTO_H

#include "kernel.h"

// EBUSY: the last read is not done.
error_t PhotoC__read(void);

// 0 to 1023, more is brighter. The app's; runs in a task.
void PhotoC__readDone(uint16_t value);

#endif
