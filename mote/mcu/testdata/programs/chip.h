/*
 * What the programs need to know of the four chips: pads, written down from the "Alternate Port Functions" of the
 * datasheets (2467, 2549, DS40002061), and one name for what the chips call differently.
 */
#ifndef CHIP_H
#define CHIP_H

#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/pgmspace.h>
#include <stdint.h>

/* A pad is a port and a bit. MARK is where a program shows that something begins. */
#define PAD_MARK C,3
#define PAD_PULSE C,2

#if defined(__AVR_ATmega328P__)

#define PAD_OC0A D,6
#define PAD_OC0B D,5
#define PAD_OC1A B,1
#define PAD_OC1B B,2
#define PAD_OC2A B,3
#define PAD_OC2B D,3
#define PAD_T0 D,4
#define PAD_T1 D,5
#define PAD_ICP1 B,0
#define PAD_INT0 D,2
#define PAD_INT1 D,3
#define PAD_PCINT0 B,0
#define PAD_PCINT1 B,1
#define PAD_AIN0 D,6
#define PAD_AIN1 D,7
#define PAD_RXD0 D,0
#define PAD_TXD0 D,1
#define PAD_XCK0 D,4
#define PAD_SS B,2
#define PAD_MOSI B,3
#define PAD_MISO B,4
#define PAD_SCK B,5
#define BOOT_START 0x7000
#define RAM_END 0x8FF

#else

#define PAD_OC1A B,5
#define PAD_OC1B B,6
#define PAD_OC1C B,7
#define PAD_OC3A E,3
#define PAD_OC3B E,4
#define PAD_OC3C E,5
#define PAD_T1 D,6
#define PAD_T3 E,6
#define PAD_ICP1 D,4
#define PAD_ICP3 E,7
#define PAD_INT0 D,0
#define PAD_INT1 D,1
#define PAD_INT4 E,4
#define PAD_AIN0 E,2
#define PAD_AIN1 E,3
#define PAD_RXD0 E,0
#define PAD_TXD0 E,1
#define PAD_XCK0 E,2
#define PAD_RXD1 D,2
#define PAD_TXD1 D,3
#define PAD_XCK1 D,5
#define PAD_SS B,0
#define PAD_SCK B,1
#define PAD_MOSI B,2
#define PAD_MISO B,3

#if defined(__AVR_ATmega128__)
#define PAD_OC0 B,4
#define PAD_OC2 B,7
#define PAD_T2 D,7
#define BOOT_START 0x1E000
#define RAM_END 0x10FF
#else
#define PAD_OC0A B,7
#define PAD_OC0B G,5
#define PAD_OC2A B,4
#define PAD_T0 D,7
#define PAD_PCINT0 B,0
#define PAD_PCINT1 B,1
#define RAM_END 0x21FF
#endif

#if defined(__AVR_ATmega1281__)
#define BOOT_START 0x1E000
#endif
#if defined(__AVR_ATmega2560__)
#define PAD_OC2B H,6
#define PAD_OC4A H,3
#define PAD_OC5A L,3
#define PAD_T4 H,7
#define PAD_T5 L,2
#define PAD_ICP4 L,0
#define PAD_ICP5 L,1
#define BOOT_START 0x3E000
#endif

#endif

#if defined(__AVR_ATmega128__)
#define TIMSK1 TIMSK
#define ICIE1 TICIE1
#define ICIE3 TICIE3
#define TIFR1 TIFR
#define TIMSK3 ETIMSK
#define TIFR3 ETIFR
#define ASYNC_BIT AS0
#define ASYNC_TCNT TCNT0
#define ASYNC_OCR OCR0
#define ASYNC_MASK TIMSK
#define ASYNC_FLAGS TIFR
#define ASYNC_TOIE TOIE0
#define ASYNC_OVF_vect TIMER0_OVF_vect
#define RESET_FLAGS MCUCSR
#define SLEEP_REG MCUCR
#define SLEEP_BITS(sm) (_BV(SE) | ((sm) & 3) << 3 | ((sm) & 4))
#define WATCHDOG WDTCR
#define EE_MASTER EEMWE
#define EE_WRITE EEWE
#define AUTO_TRIGGER ADFR
#define PRESCALER SFIOR
#define RESET_SYNC PSR321
#define RESET_ASYNC PSR0
#else
#define ASYNC_BIT AS2
#define ASYNC_TCNT TCNT2
#define ASYNC_OCR OCR2A
#define ASYNC_MASK TIMSK2
#define ASYNC_FLAGS TIFR2
#define ASYNC_TOIE TOIE2
#define ASYNC_OVF_vect TIMER2_OVF_vect
#define RESET_FLAGS MCUSR
#define SLEEP_REG SMCR
#define SLEEP_BITS(sm) (_BV(SE) | (sm) << 1)
#define WATCHDOG WDTCSR
#define EE_MASTER EEMPE
#define EE_WRITE EEPE
#define AUTO_TRIGGER ADATE
#define PRESCALER GTCCR
#define RESET_SYNC PSRSYNC
#define RESET_ASYNC PSRASY
#endif

#if defined(__AVR_ATmega328P__)
#define USART0_RX_vect USART_RX_vect
#define USART0_TX_vect USART_TX_vect
#define USART0_UDRE_vect USART_UDRE_vect
#endif

#define OUTPUT(...) OUTPUT_(__VA_ARGS__)
#define OUTPUT_(p, b) (DDR##p |= _BV(b))
#define HIGH(...) HIGH_(__VA_ARGS__)
#define HIGH_(p, b) (PORT##p |= _BV(b))
#define LOW(...) LOW_(__VA_ARGS__)
#define LOW_(p, b) (PORT##p &= (uint8_t)~_BV(b))
#define IS_HIGH(...) IS_HIGH_(__VA_ARGS__)
#define IS_HIGH_(p, b) (PIN##p >> (b) & 1)

/* Variables that the runner sets before the program starts: the start-up code leaves them alone. */
#define CONFIG __attribute__((section(".noinit"))) volatile

/* MARK has a port to itself but for PULSE, so that a whole port is written in one cycle. */
#define MARK_UP() (PORTC = _BV(3))
#define MARK_DOWN() (PORTC = 0)

/*
 * Raises MARK and writes a register: OUT, then STS, without interrupts between them. OUT writes in a cycle c, so MARK rises
 * at c + 1; STS writes two cycles later, which takes effect at c + 3 = MARK + 2.
 */
#define START(reg, value) \
	__asm__ __volatile__("out %0, %1\n\tsts %2, %3" ::"I"(_SFR_IO_ADDR(PORTC)), "r"((uint8_t)_BV(3)), "n"(_SFR_MEM_ADDR(reg)), \
		"r"((uint8_t)(value)) : "memory")

/* The end: BREAK stops the machine. A simulator that passes over it spins. */
#define DONE() \
	do { \
		cli(); \
		__asm__ __volatile__("break"); \
		for (;;) \
			; \
	} while (0)

/* So many cycles, exactly; NOPS in instructions of one cycle, so that an interrupt is served in the cycle it is asked for. */
#define WAIT(cycles) __builtin_avr_delay_cycles(cycles)
#define NOPS(n) __asm__ __volatile__(".rept " #n "\n\tnop\n\t.endr")

/* A handler for latencies: it does nothing. */
#define EMPTY_HANDLER(vector) ISR(vector, ISR_NAKED) { reti(); }

#endif
