/* A kernel with an event queue, polled processes and a clock, whose main loop never sleeps. Its variables have the names of Contiki's, so that it
   is taken for that. */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <stddef.h>

struct process {
	struct process *next;
	void (*run)(uint8_t event);
	uint16_t pt;
	uint8_t state, needspoll;
};

struct process *process_list, *process_current;
static volatile uint8_t poll_requested;
static struct event_data { uint8_t ev; void *data; struct process *p; } events[8];
static volatile uint8_t nevents, fevent;
static volatile uint16_t ticks;
static uint16_t due = 64;
static volatile uint16_t seconds;

static void __attribute__((noinline)) process_post(struct process *to, uint8_t event)
{
	if (nevents < 8) {
		events[(fevent + nevents) % 8] = (struct event_data){event, NULL, to};
		nevents++;
	}
}

static void process_thread_timer(uint8_t event);
static void process_thread_blink(uint8_t event);
struct process blink = {NULL, process_thread_blink, 0, 1, 0}, timer = {&blink, process_thread_timer, 0, 1, 0};

static void process_thread_timer(uint8_t event)
{
	(void)event;
	if ((int16_t)(ticks - due) >= 0) {
		due += 64;
		process_post(&blink, 1);
	}
}

static void process_thread_blink(uint8_t event)
{
	if (event == 1)
		seconds++;
}

ISR(TIMER1_COMPA_vect)
{
	if (++ticks % 16 == 0) {
		timer.needspoll = 1;
		poll_requested = 1;
	}
}

static void do_poll(void)
{
	poll_requested = 0;
	for (struct process *p = process_list; p; p = p->next)
		if (p->needspoll) {
			p->needspoll = 0;
			process_current = p;
			p->run(0x82);
		}
}

static void do_event(void)
{
	if (!nevents)
		return;
	struct process *p = events[fevent].p;
	uint8_t event = events[fevent].ev;
	fevent = (fevent + 1) % 8;
	nevents--;
	process_current = p;
	p->run(event);
}

static uint8_t __attribute__((noinline)) process_run(void)
{
	if (poll_requested)
		do_poll();
	do_event();
	return nevents + poll_requested;
}

static void __attribute__((noinline)) watchdog_periodic(void)
{
	__asm__ __volatile__("wdr");
}

int main(void)
{
	process_list = &timer;
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
