// The sensor board for those who read from it, one after the other: who asks while
// another has it waits in a queue, with one place for each. Who has it may queue for
// the next time. To be used in tasks only.
#ifndef ARBITER_H
#define ARBITER_H

#include "kernel.h"

enum { LIGHT, BATTERY, NUM_SENSORS };

// SUCCESS: <sensor>'s readDone will be called, in a task. EBUSY: it waits already.
error_t ArbiterP__read(uint8_t sensor);

// The app's.
void ReadingsC__readDone(uint16_t value);
void ReadingsC__batteryDone(uint16_t value);

#endif
