/* purpose: what survives a reset, a power cycle, and the start-up code
 * result:  see world/events_test.go */
#include <avr/eeprom.h>
#include <avr/io.h>
#include <stdint.h>

__attribute__((section(".noinit"))) volatile uint16_t kept;
volatile uint16_t cleared, preset = 5;
volatile uint16_t found_cleared, found_preset; /* as main found them */
volatile struct { uint8_t low : 3, high : 5; } field;
volatile uint16_t *pointer = &cleared, *nothing;
volatile uint8_t flags, boots;
volatile uint32_t ticks;

int main(void)
{
	found_cleared = cleared;
	found_preset = preset;
	flags = MCUCSR;
	MCUCSR = 0;
	kept++;
	boots = eeprom_read_byte((uint8_t *)4) + 1; /* 0 when erased */
	eeprom_write_byte((uint8_t *)4, boots);
	PORTA = 6;
	DDRA = 7; /* one LED */
	for (;;)
		ticks++;
}
