// Single conversions for the clients that the app lists in ADC_CLIENTS, each
// with its input. A client <name> calls void <name>__readDone(uint16_t), in a
// task. To be used in tasks only.
#ifndef ADC_H
#define ADC_H

#include "kernel.h"

#define AS_CLIENT(name, channel) name,

enum adc_client { ADC_CLIENTS(AS_CLIENT) };

// EBUSY: this client's last read is not done. Reads of different clients wait
// for each other.
error_t AdcP__read(enum adc_client client);

#endif
