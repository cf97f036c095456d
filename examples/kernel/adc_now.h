// One more client of the ADC, whose readings are taken in handlers, as TinyOS's
// ReadNow has it: an app that names its input, ADC_NOW_CHANNEL in app.h, need not
// wait for tasks. It goes before the clients of adc.h, if there are any.
#ifndef ADC_NOW_H
#define ADC_NOW_H

#include "kernel.h"

#define ADC_START ((1 << ADEN) | (1 << ADSC) | (1 << ADIF) | (1 << ADIE) | ADC_PRESCALER)

// EBUSY: the last read is not done. For handlers and tasks.
error_t AdcNowP__read(void);

// The app's; runs in the handler.
void AdcNowP__readDone(uint16_t value);

// How many times the handler has run, this time included, for whichever client.
extern uint16_t AdcNowP__interrupts;

// The rest is between this and adc.c: a conversion for one of its clients, and what
// came of it, in the handler.
void AdcNowP__convert(uint8_t channel);
void AdcP__converted(uint16_t value);

#endif
