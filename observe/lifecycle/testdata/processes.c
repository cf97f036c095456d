// Purpose: the kernel of Contiki: events in a ring, polls as flags, threads called by ICALL.
// Result: posts and polls, refused ones, runs; polls in the middle of an event for all.
#include "log.h"

typedef uint8_t process_event_t;

struct process {
    struct process *next;
    char (*thread)(uint16_t *pt, process_event_t ev, void *data);
    uint16_t pt;
    uint8_t state, needspoll;
};

enum { EVENT_POLL = 0x82, NUMEVENTS = 4 };

static struct event_data {
    process_event_t ev;
    void *data;
    struct process *p;
} events[NUMEVENTS];
static uint8_t nevents, fevent;
static volatile uint8_t poll_requested;
struct process *process_list, *process_current;

#define THREAD(name) \
    static char process_thread_##name(uint16_t *pt, process_event_t ev, void *data); \
    struct process name = { 0, process_thread_##name, 0, 1, 0 }; \
    static char process_thread_##name(uint16_t *pt, process_event_t ev, void *data)

static uint16_t task(struct process *p, process_event_t ev);

static void call_process(struct process *p, process_event_t ev, void *data)
{
    if (p->state && p->thread) {
        process_current = p;
        p->state = 2;
        p->thread(&p->pt, ev, data);
        p->state = 1;
    }
}

#ifndef CALLS
#define CALLS __attribute__((noinline, noclone))
#endif

CALLS int process_post(struct process *p, process_event_t ev, void *data)
{
    if (nevents == NUMEVENTS)
        return 1;
    uint8_t at = (fevent + nevents) % NUMEVENTS;
    events[at].ev = ev;
    events[at].data = data;
    events[at].p = p;
    ++nevents;
    return 0;
}

__attribute__((noinline, noclone)) void process_poll(struct process *p)
{
    if (p && p->state) {
        p->needspoll = 1;
        poll_requested = 1;
    }
}

static uint16_t for_all; // the task of the event that is being given to all

static void do_poll(void)
{
    poll_requested = 0;
    for (struct process *p = process_list; p; p = p->next)
        if (p->needspoll) {
            p->needspoll = 0;
            if (for_all)
                note(END, for_all);
            note(RUN, task(p, EVENT_POLL));
            call_process(p, EVENT_POLL, 0);
            note(END, task(p, EVENT_POLL));
            if (for_all)
                note(RUN, for_all);
        }
}

static void do_event(void)
{
    if (nevents > 0) {
        process_event_t ev = events[fevent].ev;
        void *data = events[fevent].data;
        struct process *to = events[fevent].p;

        fevent = (fevent + 1) % NUMEVENTS;
        --nevents;
        note(RUN, task(to, ev));
        if (!to) {
            for_all = task(to, ev);
            for (struct process *p = process_list; p; p = p->next) {
                if (poll_requested)
                    do_poll();
                call_process(p, ev, data);
            }
            for_all = 0;
        } else {
            call_process(to, ev, data);
        }
        note(END, task(to, ev));
    }
}

CALLS int process_run(void)
{
    if (poll_requested)
        do_poll();
    do_event();
    return nevents + poll_requested;
}

static void process_post_synch(struct process *p, process_event_t ev, void *data)
{
    struct process *caller = process_current;
    call_process(p, ev, data);
    process_current = caller;
}

static void post(struct process *p, process_event_t ev)
{
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
        note(process_post(p, ev, 0) ? FAIL : POST, task(p, ev));
    }
}

static void poll(struct process *p)
{
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
        note(p->needspoll ? FAIL : POST, task(p, EVENT_POLL));
        process_poll(p);
    }
}

THREAD(quick_process)
{
    work(10);
    return 1;
}

THREAD(slow_process)
{
    static uint8_t polls;

    work(ev == 7 ? 120 : 60);
    if (ev == EVENT_POLL && ++polls % 4 == 0) {
        process_post_synch(&quick_process, 9, 0);
        post(&quick_process, 6);
        post(0, 7);
    }
    return 1;
}

THREAD(poller_process)
{
    if (ev == 7)
        for (uint8_t i = 0; i < 5; i++)
            post(&quick_process, 8);
    return 1;
}

static struct process *const all[] = { &quick_process, &slow_process, &poller_process };

static uint16_t task(struct process *p, process_event_t ev)
{
    uint8_t place = p ? 0 : 0xFF;
    for (uint8_t i = 0; p && i < 3; i++)
        place += all[i] < p;
    return place << 8 | ev;
}

static void tick(void) { poll(&slow_process); }
static void tock(void) { poll(&poller_process); }

int main(void)
{
    for (uint8_t i = 0; i < 3; i++) {
        all[i]->next = process_list;
        process_list = all[i];
    }
    process_post_synch(&quick_process, 0x81, 0);
    post(&slow_process, 5);
    start_timers();
    sei();
    for (;;)
        process_run();
}
