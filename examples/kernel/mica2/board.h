// The Mica2: a Mica with a CC1000 radio (ATmega128's SPI as a slave for data, PD4,
// PD6 and PD7 for its registers).
#ifndef BOARD_H
#define BOARD_H

#include "mica.h"

#endif
