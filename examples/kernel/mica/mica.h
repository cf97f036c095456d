// What the Mica2 and the MicaZ have in common: an ATmega128 at 7.3728 MHz with a
// 32,768 Hz crystal on timer 0, three LEDs, the serial port of the programming
// board and the sensor boards' connector. The two differ in their radio, whose
// wiring is in their own board.h.
#ifndef MICA_H
#define MICA_H

#define F_CPU 7372800UL

// Red, green, yellow; lit when low.
#define LED_PORT PORTA
#define LED_DDR DDRA
#define LED0_PIN (1 << PA2)
#define LED1_PIN (1 << PA1)
#define LED2_PIN (1 << PA0)
#define LED_ACTIVE_LOW 1

// USART0, double speed: 7,372,800 / 8 / 57,600 = 16, exact.
#define UART_UBRR 15
#define UART_RX_vect USART0_RX_vect
#define UART_UDRE_vect USART0_UDRE_vect

// AREF is tied to the supply, so no reference is selected; 7.3728 MHz / 64 = 115 kHz,
// inside the 50 to 200 kHz of full resolution (ATmega128 datasheet, ADC
// Prescaling and Conversion Timing).
#define ADC_REFERENCE 0
#define ADC_PRESCALER ((1 << ADPS2) | (1 << ADPS1))

// The ADC's inputs with an MTS300/310 sensor board on. Light and temperature
// share one, and are told apart by which of the two is powered.
enum {
    ADC_CHANNEL_RSSI = 0,
    ADC_CHANNEL_PHOTO = 1,
    ADC_CHANNEL_TEMPERATURE = 1,
    ADC_CHANNEL_MICROPHONE = 2,
    ADC_CHANNEL_ACCEL_X = 3,
    ADC_CHANNEL_ACCEL_Y = 4,
    ADC_CHANNEL_MAG_X = 5,
    ADC_CHANNEL_MAG_Y = 6,
    ADC_CHANNEL_BATTERY = 7,
};

// INT1 of the connector switches the photocell.
#define PHOTO_PORT PORTE
#define PHOTO_DDR DDRE
#define PHOTO_PIN (1 << PE5)

#endif
