// Two threads: a handler saves the stack of one and goes on with the other's, from where it returns by RETI.
#include "chip.h"

static uint8_t stack[128];
volatile uint16_t saved;
volatile uint16_t one, two;

static void other(void)
{
    for (;;)
        two++;
}

// What it saves is enough for these threads: they keep nothing in registers that the other one changes.
ISR(TIMER1_COMPA_vect, ISR_NAKED)
{
    __asm__ volatile(
        "push r24\n\tin r24, __SREG__\n\tpush r24\n\tpush r25\n\tpush r18\n\tpush r19\n\t"
        "lds r24, saved\n\tlds r25, saved+1\n\t"
        "in r18, __SP_L__\n\tin r19, __SP_H__\n\t"
        "sts saved, r18\n\tsts saved+1, r19\n\t"
        "out __SP_H__, r25\n\tout __SP_L__, r24\n\t"
        "pop r19\n\tpop r18\n\tpop r25\n\tpop r24\n\tout __SREG__, r24\n\tpop r24\n\treti");
}

int main(void)
{
    uint8_t *top = stack + sizeof stack - 1;
    uint16_t entry = (uint16_t)other;

    *top-- = entry;
    *top-- = entry >> 8;
#ifdef __AVR_3_BYTE_PC__
    *top-- = 0;
#endif
    for (uint8_t i = 0; i < 5; i++)
        *top-- = 0;
    saved = (uint16_t)top;
    every(4000);
    sei();
    for (;;)
        one++;
}
