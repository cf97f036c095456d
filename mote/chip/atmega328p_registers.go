package chip

// Register names of the ATmega328P, by data-space address (datasheet, "Register Summary").
var atmega328pRegisters = []Register{
	{0x23, "PINB"}, {0x24, "DDRB"}, {0x25, "PORTB"}, {0x26, "PINC"}, {0x27, "DDRC"}, {0x28, "PORTC"},
	{0x29, "PIND"}, {0x2A, "DDRD"}, {0x2B, "PORTD"},
	{0x35, "TIFR0"}, {0x36, "TIFR1"}, {0x37, "TIFR2"},
	{0x3B, "PCIFR"}, {0x3C, "EIFR"}, {0x3D, "EIMSK"}, {0x3E, "GPIOR0"}, {0x3F, "EECR"}, {0x40, "EEDR"},
	{0x41, "EEARL"}, {0x42, "EEARH"}, {0x43, "GTCCR"}, {0x44, "TCCR0A"}, {0x45, "TCCR0B"}, {0x46, "TCNT0"},
	{0x47, "OCR0A"}, {0x48, "OCR0B"}, {0x4A, "GPIOR1"}, {0x4B, "GPIOR2"}, {0x4C, "SPCR"}, {0x4D, "SPSR"},
	{0x4E, "SPDR"}, {0x50, "ACSR"}, {0x53, "SMCR"}, {0x54, "MCUSR"}, {0x55, "MCUCR"},
	{0x57, "SPMCSR"}, {0x5D, "SPL"}, {0x5E, "SPH"}, {0x5F, "SREG"}, {0x60, "WDTCSR"}, {0x61, "CLKPR"},
	{0x64, "PRR"}, {0x66, "OSCCAL"}, {0x68, "PCICR"}, {0x69, "EICRA"},
	{0x6B, "PCMSK0"}, {0x6C, "PCMSK1"}, {0x6D, "PCMSK2"}, {0x6E, "TIMSK0"}, {0x6F, "TIMSK1"}, {0x70, "TIMSK2"},
	{0x78, "ADCL"}, {0x79, "ADCH"}, {0x7A, "ADCSRA"}, {0x7B, "ADCSRB"}, {0x7C, "ADMUX"},
	{0x7E, "DIDR0"}, {0x7F, "DIDR1"}, {0x80, "TCCR1A"}, {0x81, "TCCR1B"}, {0x82, "TCCR1C"},
	{0x84, "TCNT1L"}, {0x85, "TCNT1H"}, {0x86, "ICR1L"}, {0x87, "ICR1H"}, {0x88, "OCR1AL"}, {0x89, "OCR1AH"},
	{0x8A, "OCR1BL"}, {0x8B, "OCR1BH"}, {0xB0, "TCCR2A"}, {0xB1, "TCCR2B"}, {0xB2, "TCNT2"}, {0xB3, "OCR2A"},
	{0xB4, "OCR2B"}, {0xB6, "ASSR"}, {0xB8, "TWBR"}, {0xB9, "TWSR"}, {0xBA, "TWAR"}, {0xBB, "TWDR"},
	{0xBC, "TWCR"}, {0xBD, "TWAMR"}, {0xC0, "UCSR0A"}, {0xC1, "UCSR0B"}, {0xC2, "UCSR0C"},
	{0xC4, "UBRR0L"}, {0xC5, "UBRR0H"}, {0xC6, "UDR0"},
}

// Interrupt vectors of the ATmega328P, by number (datasheet, "Interrupt Vectors"; reset is 1).
var atmega328pVectors = []string{
	1: "RESET", "INT0", "INT1", "PCINT0", "PCINT1", "PCINT2",
	7: "WDT", "TIMER2_COMPA", "TIMER2_COMPB", "TIMER2_OVF", "TIMER1_CAPT", "TIMER1_COMPA",
	13: "TIMER1_COMPB", "TIMER1_OVF", "TIMER0_COMPA", "TIMER0_COMPB", "TIMER0_OVF", "SPI_STC",
	19: "USART_RX", "USART_UDRE", "USART_TX", "ADC", "EE_READY", "ANALOG_COMP",
	25: "TWI", "SPM_READY",
}
