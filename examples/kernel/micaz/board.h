// The MicaZ: a Mica with a CC2420 radio (SPI as a master, PB0 selects it, PA5 and
// PA6 are its regulator and reset).
#ifndef BOARD_H
#define BOARD_H

#include "mica.h"

#endif
