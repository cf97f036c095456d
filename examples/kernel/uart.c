#include "uart.h"

#include "board.h"

// A power of two of at most 128, so that the free-running 8-bit indices below
// need no comparison with the end and tell full from empty.
#define RING_SIZE 64

typedef struct {
    volatile uint8_t head;    // the next to take; written by the taker only
    volatile uint8_t tail;    // the next to put; written by the putter only
    volatile uint8_t bytes[RING_SIZE];
} uart_ring_t;

static uart_ring_t UartP__rx;
static uart_ring_t UartP__tx;

// What went wrong on the line, for whoever reads the memory of a mote.
static struct {
    uint8_t framing;    // no stop bit: noise, or another baud rate
    uint8_t overrun;    // the handler came too late
    uint8_t full;       // the tasks came too late
} UartP__errors;

static uint8_t UartP__fill(const uart_ring_t *ring)
{
    return ring->tail - ring->head;
}

static void UartP__push(uart_ring_t *ring, uint8_t byte)
{
    ring->bytes[ring->tail % RING_SIZE] = byte;
    ring->tail++;
}

static uint8_t UartP__pop(uart_ring_t *ring)
{
    uint8_t byte = ring->bytes[ring->head % RING_SIZE];

    ring->head++;
    return byte;
}

void UartP__start(void)
{
    UBRR0H = 0;
    UBRR0L = UART_UBRR;
    UCSR0A = 1 << U2X0;
    UCSR0C = (1 << UCSZ01) | (1 << UCSZ00);
    UCSR0B = (1 << RXCIE0) | (1 << RXEN0) | (1 << TXEN0);
}

uint8_t UartP__space(void)
{
    return RING_SIZE - UartP__fill(&UartP__tx);
}

// In one piece, since the handler turns its own interrupt off when the ring is
// empty: if it sent this byte before we turned it on, it would come once more
// and take a byte that is not there.
void UartP__put(uint8_t byte)
{
    atomic {
        UartP__push(&UartP__tx, byte);
        UCSR0B |= 1 << UDRIE0;
    }
}

ISR(UART_UDRE_vect)
{
    UDR0 = UartP__pop(&UartP__tx);

    uint8_t left = UartP__fill(&UartP__tx);

    if (left == 0)
        UCSR0B &= ~(1 << UDRIE0);
    if (left == RING_SIZE / 2)
        UartP__drained();
}

bool UartP__take(uint8_t *byte)
{
    if (UartP__fill(&UartP__rx) == 0)
        return false;
    *byte = UartP__pop(&UartP__rx);
    return true;
}

// The status belongs to the byte that the data register gives next, so it is
// read first.
ISR(UART_RX_vect)
{
    uint8_t status = UCSR0A;
    uint8_t byte = UDR0;

    if (status & (1 << DOR0))
        UartP__errors.overrun++;
    if (status & (1 << FE0))
        UartP__errors.framing++;
    else if (UartP__fill(&UartP__rx) == RING_SIZE)
        UartP__errors.full++;
    else
        UartP__push(&UartP__rx, byte);
    UartP__arrived();
}
