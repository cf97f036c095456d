// A task reads two numbers that the handler of a timer changes, when a character comes. The timer comes every 80 ms, and the task takes some microseconds: only if the character
// comes just before the timer does the task get numbers that do not belong together. If it only looks whether a number changes (LOOKS), and that fits into a byte, all is well.
#define REST sleep_cpu()
#include "tinyos2.h"

static volatile struct {
    uint16_t count, twice;
} now;
struct {
    uint16_t count, twice;
} seen;

ISR(TIMER1_COMPA_vect)
{
#ifdef LOOKS
    if (++now.count == 250)
        now.count = 0;
#else
    now.count += 257;
    now.twice += 514;
#endif
}

ISR(USART_RX_vect)
{
    (void)UDR0;
    SchedulerBasicP__TaskBasic__postTask(A__first);
}

static void A__first__runTask(void)
{
#ifdef FIXED
    cli();
#endif
#ifdef LOOKS
    uint16_t first = now.count;
    seen.count += now.count != first;
    return;
#endif
    seen.count = now.count;
    seen.twice = now.twice; // BUG
#ifdef FIXED
    sei();
#endif
}

static void A__second__runTask(void) { }

int main(void)
{
    scheduler_init();
    UBRR0 = 8;
    UCSR0B = _BV(RXEN0) | _BV(RXCIE0);
    OCR1A = 19999;
    TCCR1B = _BV(WGM12) | _BV(CS11) | _BV(CS10);
    TIMSK1 = _BV(OCIE1A);
    sleep_enable();
    sei();
    task_loop();
}
