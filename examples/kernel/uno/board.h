// The Arduino Uno: an ATmega328P at 16 MHz, its LED on D13, two more LEDs (with
// their resistors) on D12 and D11, and a photocell from D7 over A0 and a resistor
// to ground.
#ifndef BOARD_H
#define BOARD_H

#define F_CPU 16000000UL

// Lit when high.
#define LED_PORT PORTB
#define LED_DDR DDRB
#define LED0_PIN (1 << PB5)
#define LED1_PIN (1 << PB4)
#define LED2_PIN (1 << PB3)
#define LED_ACTIVE_LOW 0

// Double speed: 16,000,000 / 8 / 57,600 = 34.7; 35 gives 57,143 baud, 0.8 % slow.
#define UART_UBRR 34
#define UART_RX_vect USART_RX_vect
#define UART_UDRE_vect USART_UDRE_vect

// Against AVCC; 16 MHz / 128 = 125 kHz, inside the 50 to 200 kHz of full
// resolution (ATmega328P datasheet, Prescaling and Conversion Timing).
#define ADC_REFERENCE (1 << REFS0)
#define ADC_PRESCALER ((1 << ADPS2) | (1 << ADPS1) | (1 << ADPS0))

enum { ADC_CHANNEL_PHOTO = 0 };

#define PHOTO_PORT PORTD
#define PHOTO_DDR DDRD
#define PHOTO_PIN (1 << PD7)

#endif
