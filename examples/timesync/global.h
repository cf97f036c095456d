// The global time, as a mote estimates it from pairs of its own time and the
// global one.
#ifndef GLOBAL_H
#define GLOBAL_H

#include "kernel.h"

// At local, it was global.
void GlobalTimeP__add(uint32_t local, uint32_t global);

// There are enough pairs for a line through them.
bool GlobalTimeP__isKnown(void);

uint32_t GlobalTimeP__fromLocal(uint32_t local);

#endif
