// The queue of Contiki: events in a ring, polls as flags.
#include "chip.h"

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

static void call_process(struct process *p, process_event_t ev, void *data)
{
    process_current = p;
    p->thread(&p->pt, ev, data);
}

__attribute__((noinline, noclone)) int process_post(struct process *p, process_event_t ev, void *data)
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
    p->needspoll = 1;
    poll_requested = 1;
}

__attribute__((noinline, noclone)) int process_run(void)
{
    if (poll_requested) {
        poll_requested = 0;
        for (struct process *p = process_list; p; p = p->next)
            if (p->needspoll) {
                p->needspoll = 0;
                call_process(p, EVENT_POLL, 0);
            }
    }
    if (nevents > 0) {
        process_event_t ev = events[fevent].ev;
        void *data = events[fevent].data;
        struct process *to = events[fevent].p;

        fevent = (fevent + 1) % NUMEVENTS;
        --nevents;
        call_process(to, ev, data);
    }
    return nevents + poll_requested;
}
