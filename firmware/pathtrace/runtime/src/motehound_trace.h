// What instrumented code and the firmware around it see of Motehound's tracer.
//
// THE CONTRACT WITH THE INSTRUMENTER
//
// Before this header, MH_TRACE_PROCS is defined as the number of procedures of the whole program (ids are 0 to
// MH_TRACE_PROCS - 1), or as an upper bound of it: up to 64, a call has one byte for its label, else two. All files of a
// program, and the runtime's own, must agree on which: the functions have other names, so a mixture does not link. Who
// compiles file by file and cannot know the number defines it as 16384, which is also the most, and the default.
//
// A procedure p that is traced calls, whether it is a task, an interrupt handler or an ordinary function:
//
//   MH_TRACE_ENTER(p)            once, first of all in its body
//   MH_TRACE_PATH8(p, path)      whenever a back edge, or another edge that was cut, is taken
//   MH_TRACE_LEAVE8(p, path)     once, on each way out: before a return, after the return's value was computed
//
// with the number of the path since the procedure's begin or since its last cut edge. 8: p has at most 256 paths, 16: at
// most 65536; a procedure uses the same of the two throughout. p is a constant; path is evaluated once and may be any
// expression. Each is an expression of type void. They can stand in handlers, in atomic sections and where interrupts
// are on; they change no flag, and they keep the order of volatile accesses around them.
//
// In a loop that traces nothing else and leaves the interrupt flag alone, instead of MH_TRACE_PATH8:
//
//   MH_TRACE_ROUND8(p, path, last, more)
//   MH_TRACE_SETTLE(more)          on each way out of the loop, before anything else is traced; then more is 255 again
//
// with two variables of the procedure: last, as wide as the path, and more, an unsigned char that begins as 255. path is evaluated
// twice. While interrupts are off, rounds that take the same path are counted in more, since nothing can come between them.
//
// A way out without MH_TRACE_LEAVE (a call that does not return, longjmp) is no error: the decoder closes what is open when
// a procedure around it leaves. Re-entry needs nothing: what is entered and not yet left at an event says which session
// it belongs to, since on one stack the innermost leaves first.
//
// Not to be instrumented: naked functions, what runs before main's constructors are done, and the runtime's own files. The
// functions that the runtime calls (see "Your functions" in motehound_trace_port.h) may be, but then are part of the trace.
//
// No type and no header is needed before this one, and it defines only names that begin with mh_trace_ or MH_TRACE_:
// it can stand in front of what nesC has preprocessed.
#ifndef MOTEHOUND_TRACE_H
#define MOTEHOUND_TRACE_H

#ifndef MH_TRACE_PROCS
#define MH_TRACE_PROCS 16384
#endif

#if MH_TRACE_PROCS > 16384
#error "Motehound traces at most 16384 procedures: instrument fewer components"
#endif

// A label is what happened in its two highest bits, and the procedure in the others.
#if MH_TRACE_PROCS <= 64
typedef unsigned char mh_trace_label;
#define MH_TRACE_KIND_SHIFT 6
#define mh_trace_enter mh_trace_enter_narrow
#define mh_trace_path8 mh_trace_path8_narrow
#define mh_trace_path16 mh_trace_path16_narrow
#else
typedef unsigned short mh_trace_label;
#define MH_TRACE_KIND_SHIFT 14
#define mh_trace_enter mh_trace_enter_wide
#define mh_trace_path8 mh_trace_path8_wide
#define mh_trace_path16 mh_trace_path16_wide
#endif

#define MH_TRACE_KIND_ENTER 0
#define MH_TRACE_KIND_PATH 1
#define MH_TRACE_KIND_LEAVE 2

#define MH_TRACE_LABEL(kind, proc) ((mh_trace_label)((kind) << MH_TRACE_KIND_SHIFT | (proc)))

#ifdef __cplusplus
extern "C" {
#endif

void mh_trace_enter(mh_trace_label label);
void mh_trace_path8(mh_trace_label label, unsigned char path);
void mh_trace_path16(mh_trace_label label, unsigned short path);

#define MH_TRACE_ENTER(proc) mh_trace_enter(MH_TRACE_LABEL(MH_TRACE_KIND_ENTER, proc))
#define MH_TRACE_PATH8(proc, path) mh_trace_path8(MH_TRACE_LABEL(MH_TRACE_KIND_PATH, proc), (path))
#define MH_TRACE_PATH16(proc, path) mh_trace_path16(MH_TRACE_LABEL(MH_TRACE_KIND_PATH, proc), (path))
#define MH_TRACE_LEAVE8(proc, path) mh_trace_path8(MH_TRACE_LABEL(MH_TRACE_KIND_LEAVE, proc), (path))
#define MH_TRACE_LEAVE16(proc, path) mh_trace_path16(MH_TRACE_LABEL(MH_TRACE_KIND_LEAVE, proc), (path))

// Whether interrupts are off. Where it is not known, rounds are not counted.
#ifndef MH_TRACE_CLOSED
#ifdef __AVR__
#define MH_TRACE_CLOSED() ((*(volatile unsigned char *)0x5F & 0x80) == 0)
#else
#define MH_TRACE_CLOSED() 0
#endif
#endif

// For handlers: others may come; and no more, until this one has returned. A handler records its begin before it lets others in,
// and its end after it has shut them out.
#ifdef __AVR__
#define MH_TRACE_LET_IN() __asm__ __volatile__("sei" ::: "memory")
#define MH_TRACE_KEEP_OUT() __asm__ __volatile__("cli" ::: "memory")
#else
#define MH_TRACE_LET_IN()
#define MH_TRACE_KEEP_OUT()
#endif

// The latest event came so many times more.
void mh_trace_more(unsigned char times);

#define MH_TRACE_SETTLE(more) ((unsigned char)((more) + 1) > 1 ? mh_trace_more(more) : (void)0)
#define MH_TRACE_ROUND(event, path, last, more) \
    ((more) < 254 && (last) == (path) \
         ? (void)(more)++ \
         : (MH_TRACE_SETTLE(more), (last) = (path), (more) = MH_TRACE_CLOSED() ? 0 : 255, event))
#define MH_TRACE_ROUND8(proc, path, last, more) MH_TRACE_ROUND(MH_TRACE_PATH8(proc, last), path, last, more)
#define MH_TRACE_ROUND16(proc, path, last, more) MH_TRACE_ROUND(MH_TRACE_PATH16(proc, last), path, last, more)

// FOR THE FIRMWARE AROUND IT: all of this is optional. A program that calls none of it keeps its log in flash.

// Writes what is still in memory into the log and waits for the flash; for an assertion, a handler that should never run, or
// a watchdog's last call. The reason is in the log. Safe with interrupts on or off.
void mh_trace_fault(unsigned char reason);

// Whether this run began with a reset that left memory alone, as the watchdog's does. What was traced before it is in the log.
unsigned char mh_trace_was_reset(void);

// Does what the tracer puts off until interrupts are on: for programs whose main loop or tasks have no traced procedure.
// Not in a handler.
void mh_trace_service(void);

// For a kernel, in front of sleeping, with interrupts off: a piece of what the tracer puts off is done, with interrupts on, and the
// answer is 1; or 0, if there is none. After a 1 there may be a task again that a handler has posted: look before you sleep.
// A program that has it is made slower by less than one that has not; and when it has rested for some seconds, its log goes to the flash.
// motehound trace cc puts it where TinyOS sleeps.
#define MH_TRACE_REST() (mh_trace_pending && mh_trace_pause())
extern volatile unsigned char mh_trace_pending;
unsigned char mh_trace_pause(void);
unsigned char mh_trace_rest(void);

// The same for a kernel that never sleeps, with interrupts on, whenever it finds nothing to do. trace cc puts it into Contiki's process_run.
#define MH_TRACE_NAP() mh_trace_nap()
void mh_trace_nap(void);

// In a handler that runs at least some times in a second, so that MH_TRACE_REST has a look at the clock. trace cc puts it into TinyOS'
// handler of timer 0; then it is also the log's clock.
#define MH_TRACE_TICK() mh_trace_tick()
void mh_trace_tick(void);

// Or, if the log has another clock, this is stored in mh_trace_pending.
#define MH_TRACE_PENDING_TICK 2

// In front of what nobody comes back from: all that is in memory goes to the flash. trace cc puts it before empty loops without an end,
// which is how programs wait for the watchdog.
#define MH_TRACE_STOP() mh_trace_save()
void mh_trace_save(void);

// The query service. A request that came by radio or wire is given to mh_trace_request, which says 0 if it is none. Then
// mh_trace_reply writes the next reply into out, of at most room bytes (16 or more), and gives its length: 0 when there is
// nothing to send now. mh_trace_replying says whether more will follow. What the bytes mean is in motehound_trace_query.c.
// All three are for one context, a task or the main loop.
unsigned char mh_trace_request(const unsigned char *request, unsigned char length);
unsigned char mh_trace_reply(unsigned char *out, unsigned char room);
unsigned char mh_trace_replying(void);

#ifdef __cplusplus
}
#endif

#endif
