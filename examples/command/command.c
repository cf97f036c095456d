// Obeys commands that come over the serial port in frames:
//
//   A5 5A  length  command  data...  checksum
//
// length is that of command and data together; the checksum makes all bytes from length on add up to 0. Commands are 'P', a
// question whether anyone is there; 'I' and two bytes, how long the LED is on and off; 'N' and text, the name of this device; 'W', what
// the name is. Each is answered with one letter, or with the name and a line feed.
//
// The bug: the receiver takes what fits into its buffer, but a name has less room than that. 'N' copies as much as came.

#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <stdint.h>

#define MAGIC_1 0xA5
#define MAGIC_2 0x5A
#define NAME_SIZE 12

static enum { WAIT_1, WAIT_2, LENGTH, BODY, CHECK } __attribute__((packed)) state;
static uint8_t frame[32];
static uint8_t length, received, sum;
static volatile uint8_t ready; // frame has a command, and is main's

static char name[NAME_SIZE + 1] = "node";
static uint8_t refused;

static void take(uint8_t c) {
    switch (state) {
    case WAIT_1:
        if (c == MAGIC_1)
            state = WAIT_2;
        break;
    case WAIT_2:
        state = c == MAGIC_2 ? LENGTH : WAIT_1;
        break;
    case LENGTH:
        state = WAIT_1;
        if (c > 0 && c <= sizeof frame) {
            length = sum = c;
            received = 0;
            state = BODY;
        }
        break;
    case BODY:
        frame[received++] = c;
        sum += c;
        if (received == length)
            state = CHECK;
        break;
    case CHECK:
        ready = (uint8_t)(sum + c) == 0;
        state = WAIT_1;
        break;
    }
}

ISR(USART_RX_vect) {
    uint8_t c = UDR0;
    if (!ready)
        take(c);
}

static void send(uint8_t c) {
    while (!(UCSR0A & 1 << UDRE0))
        ;
    UDR0 = c;
}

static void setName(const uint8_t *text, uint8_t size) {
#ifdef FIXED
    if (size > NAME_SIZE)
        size = NAME_SIZE;
#endif
    uint8_t i;
    for (i = 0; i < size; i++)
        name[i] = text[i]; // BUG: nobody has looked whether it fits
    name[i] = 0;
}

static void obey(const uint8_t *data, uint8_t size) {
    switch (frame[0]) {
    case 'P':
        break;
    case 'I':
        if (size != 2) {
            refused++;
            send('?');
            return;
        }
        OCR1A = (uint16_t)data[0] << 8 | data[1];
        break;
    case 'N':
        setName(data, size);
        break;
    case 'W':
        for (uint8_t i = 0; name[i]; i++)
            send(name[i]);
        send('\n');
        return;
    default:
        refused++;
        send('?');
        return;
    }
    send('k');
}

int main(void) {
    DDRB = 1 << PB1;
    OCR1A = 7812; // the LED at OC1A blinks by itself, at first once a second
    TCCR1A = 1 << COM1A0;
    TCCR1B = 1 << WGM12 | 1 << CS12 | 1 << CS10;
    UBRR0 = 103; // 9600 baud at 16 MHz
    UCSR0B = 1 << RXEN0 | 1 << TXEN0 | 1 << RXCIE0;
    sei();
    for (;;) {
        sleep_mode();
        if (!ready)
            continue;
        obey(frame + 1, length - 1);
        ready = 0;
    }
}
