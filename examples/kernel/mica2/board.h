// The Mica2 for 868 MHz (MPR400): a Mica with a CC1000 radio.
#ifndef BOARD_H
#define BOARD_H

#include "mica.h"

// Where the radio is: three wires for its registers, all at port D. Its data comes
// and goes through the SPI as a slave: the radio's clock is on SCK (PB1), its data
// pin on both MOSI (PB2) and MISO (PB3), and SS (PB0) is low on the board. Its
// signal strength is on the ADC. CHP_OUT (PA6) is not used.
#define CC1000_PALE (1 << PD4)
#define CC1000_PCLK (1 << PD6)
#define CC1000_PDATA (1 << PD7)
#define CC1000_DATA_OUT (1 << PB3)

// What its driver needs; see radio.h.
#define RADIO_TASKS(TASK) \
    TASK(MicroC__alarm) TASK(CC1000LinkP__synchronised) TASK(CC1000LinkP__received) TASK(CC1000LinkP__sent)
#define RADIO_TIMERS(TIMER) TIMER(CC1000ControlP__StartUp)
#define RADIO_ADC_TASKS(TASK) ADC_TASKS(TASK)
#define RADIO_ADC_CLIENTS(CLIENT) \
    CLIENT(CC1000CsmaP__Channel, ADC_CHANNEL_RSSI) CLIENT(CC1000CsmaP__Signal, ADC_CHANNEL_RSSI)

// Apps that fill the channel scale their periods by this.
#define RADIO_PACE 4

#endif
