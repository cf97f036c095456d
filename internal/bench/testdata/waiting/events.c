/* A kernel with an event queue, polled processes and a clock, whose main loop never sleeps. */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <stddef.h>

struct process {
	struct process *next;
	void (*run)(uint8_t event);
	uint8_t polled;
};

static struct process *processes;
static volatile uint8_t poll_asked;
static struct { struct process *to; uint8_t event; } queue[8];
static volatile uint8_t queued, first;
static volatile uint16_t ticks;
static uint16_t due = 64;
static volatile uint16_t seconds;

static void post(struct process *to, uint8_t event)
{
	if (queued < 8)
		queue[(first + queued++) % 8] = (typeof(queue[0])){to, event};
}

static void timer_run(uint8_t event);
static void blink_run(uint8_t event);
static struct process blink = {NULL, blink_run, 0}, timer = {&blink, timer_run, 0};

static void timer_run(uint8_t event)
{
	(void)event;
	if ((int16_t)(ticks - due) >= 0) {
		due += 64;
		post(&blink, 1);
	}
}

static void blink_run(uint8_t event)
{
	if (event)
		seconds++;
}

ISR(TIMER1_COMPA_vect)
{
	if (++ticks % 16 == 0) {
		timer.polled = 1;
		poll_asked = 1;
	}
}

static void do_poll(void)
{
	poll_asked = 0;
	for (struct process *p = processes; p; p = p->next)
		if (p->polled) {
			p->polled = 0;
			p->run(0);
		}
}

static void do_event(void)
{
	if (!queued)
		return;
	struct process *p = queue[first].to;
	uint8_t event = queue[first].event;
	first = (first + 1) % 8;
	queued--;
	p->run(event);
}

static uint8_t __attribute__((noinline)) process_run(void)
{
	if (poll_asked)
		do_poll();
	do_event();
	return queued + poll_asked;
}

static void __attribute__((noinline)) watchdog_periodic(void)
{
	__asm__ __volatile__("wdr");
}

int main(void)
{
	processes = &timer;
	OCR1A = 57600 - 1; /* 128 times a second at 7.3728 MHz */
	TCCR1B = _BV(WGM12) | _BV(CS10);
	TIMSK = _BV(OCIE1A);
	sei();
	for (;;) {
		watchdog_periodic();
		while (process_run() > 0)
			;
	}
}
