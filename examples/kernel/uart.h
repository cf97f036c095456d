// The serial port, at 57,600 baud, 8N1, through a ring of bytes each way. Commands
// are for tasks; the two events run in interrupt handlers.
#ifndef UART_H
#define UART_H

#include "kernel.h"

void UartP__start(void);

// How many bytes can be put now.
uint8_t UartP__space(void);
void UartP__put(uint8_t byte);

// False: nothing has arrived that was not taken.
bool UartP__take(uint8_t *byte);

// There are bytes to take.
void UartP__arrived(void);

// Of a ring that was filled, half is free again.
void UartP__drained(void);

#endif
