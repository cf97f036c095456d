// The MicaZ: a Mica with a CC2420 radio.
#ifndef BOARD_H
#define BOARD_H

#include "mica.h"

// Where the radio is. FIFOP is also INT6, and SFD is timer 1's capture input.
#define CC2420_VREN (1 << PA5)     // port A: its voltage regulator
#define CC2420_RSTN (1 << PA6)     // port A
#define CC2420_CSN (1 << PB0)      // port B, with the SPI: SCK PB1, MOSI PB2, MISO PB3
#define CC2420_FIFO (1 << PB7)     // port B
#define CC2420_SFD (1 << PD4)      // port D
#define CC2420_FIFOP (1 << PE6)    // port E

// What its driver needs; see radio.h.
#define RADIO_TASKS(TASK) TASK(MicroC__alarm) TASK(CC2420TransmitP__sent) TASK(CC2420ReceiveP__receive)
#define RADIO_TIMERS(TIMER) TIMER(CC2420ControlP__StartUp)
#define RADIO_ADC_TASKS(TASK)
#define RADIO_ADC_CLIENTS(CLIENT)

// Apps that fill the channel scale their periods by this.
#define RADIO_PACE 1

#endif
