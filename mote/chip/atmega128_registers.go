package chip

// Register names of the ATmega128, by data-space address (datasheet, "Register Summary").
var atmega128Registers = []Register{
	{0x20, "PINF"}, {0x21, "PINE"}, {0x22, "DDRE"}, {0x23, "PORTE"}, {0x24, "ADCL"}, {0x25, "ADCH"},
	{0x26, "ADCSRA"}, {0x27, "ADMUX"}, {0x28, "ACSR"}, {0x29, "UBRR0L"}, {0x2A, "UCSR0B"}, {0x2B, "UCSR0A"},
	{0x2C, "UDR0"}, {0x2D, "SPCR"}, {0x2E, "SPSR"}, {0x2F, "SPDR"}, {0x30, "PIND"}, {0x31, "DDRD"},
	{0x32, "PORTD"}, {0x33, "PINC"}, {0x34, "DDRC"}, {0x35, "PORTC"}, {0x36, "PINB"}, {0x37, "DDRB"},
	{0x38, "PORTB"}, {0x39, "PINA"}, {0x3A, "DDRA"}, {0x3B, "PORTA"}, {0x3C, "EECR"}, {0x3D, "EEDR"},
	{0x3E, "EEARL"}, {0x3F, "EEARH"}, {0x40, "SFIOR"}, {0x41, "WDTCR"}, {0x42, "OCDR"}, {0x43, "OCR2"},
	{0x44, "TCNT2"}, {0x45, "TCCR2"}, {0x46, "ICR1L"}, {0x47, "ICR1H"}, {0x48, "OCR1BL"}, {0x49, "OCR1BH"},
	{0x4A, "OCR1AL"}, {0x4B, "OCR1AH"}, {0x4C, "TCNT1L"}, {0x4D, "TCNT1H"}, {0x4E, "TCCR1B"}, {0x4F, "TCCR1A"},
	{0x50, "ASSR"}, {0x51, "OCR0"}, {0x52, "TCNT0"}, {0x53, "TCCR0"}, {0x54, "MCUCSR"}, {0x55, "MCUCR"},
	{0x56, "TIFR"}, {0x57, "TIMSK"}, {0x58, "EIFR"}, {0x59, "EIMSK"}, {0x5A, "EICRB"}, {0x5B, "RAMPZ"},
	{0x5C, "XDIV"}, {0x5D, "SPL"}, {0x5E, "SPH"}, {0x5F, "SREG"},
	{0x61, "DDRF"}, {0x62, "PORTF"}, {0x63, "PING"}, {0x64, "DDRG"}, {0x65, "PORTG"},
	{0x68, "SPMCSR"}, {0x6A, "EICRA"}, {0x6C, "XMCRB"}, {0x6D, "XMCRA"},
	{0x6F, "OSCCAL"}, {0x70, "TWBR"}, {0x71, "TWSR"}, {0x72, "TWAR"}, {0x73, "TWDR"}, {0x74, "TWCR"},
	{0x78, "OCR1CL"}, {0x79, "OCR1CH"}, {0x7A, "TCCR1C"},
	{0x7C, "ETIFR"}, {0x7D, "ETIMSK"}, {0x80, "ICR3L"}, {0x81, "ICR3H"}, {0x82, "OCR3CL"}, {0x83, "OCR3CH"},
	{0x84, "OCR3BL"}, {0x85, "OCR3BH"}, {0x86, "OCR3AL"}, {0x87, "OCR3AH"}, {0x88, "TCNT3L"}, {0x89, "TCNT3H"},
	{0x8A, "TCCR3B"}, {0x8B, "TCCR3A"}, {0x8C, "TCCR3C"},
	{0x90, "UBRR0H"}, {0x95, "UCSR0C"}, {0x98, "UBRR1H"}, {0x99, "UBRR1L"}, {0x9A, "UCSR1B"}, {0x9B, "UCSR1A"},
	{0x9C, "UDR1"}, {0x9D, "UCSR1C"},
}

// Interrupt vectors of the ATmega128, by number (datasheet, "Interrupt Vectors"; reset is 1).
var atmega128Vectors = []string{
	1: "RESET", "INT0", "INT1", "INT2", "INT3", "INT4",
	7: "INT5", "INT6", "INT7", "TIMER2_COMP", "TIMER2_OVF", "TIMER1_CAPT",
	13: "TIMER1_COMPA", "TIMER1_COMPB", "TIMER1_OVF", "TIMER0_COMP", "TIMER0_OVF", "SPI_STC",
	19: "USART0_RX", "USART0_UDRE", "USART0_TX", "ADC", "EE_READY", "ANALOG_COMP",
	25: "TIMER1_COMPC", "TIMER3_CAPT", "TIMER3_COMPA", "TIMER3_COMPB", "TIMER3_COMPC", "TIMER3_OVF",
	31: "USART1_RX", "USART1_UDRE", "USART1_TX", "TWI", "SPM_READY",
}
