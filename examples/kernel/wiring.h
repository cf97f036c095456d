// The kernel's tables, made from what the app says that it uses. nesC works
// this out from an app's wiring; here the app's app.h lists its tasks, timers,
// ADC and radio clients, and the X-macros turn the lists into ids. A task or
// timer that is listed and not written, or the other way round, does not link.
#ifndef WIRING_H
#define WIRING_H

#include "board.h"

// What the components need, for apps to put into their lists. What the radio needs
// depends on the board, and is in its board.h.
#define TIMER_TASKS(TASK) TASK(VirtualizeTimerC__updateFromTimer)
#define ADC_TASKS(TASK) TASK(AdcP__acquired)
#define PHOTO_TIMERS(TIMER) TIMER(PhotoC__WarmUp)
#define PHOTO_ADC_CLIENTS(CLIENT) CLIENT(PhotoC__Read, ADC_CHANNEL_PHOTO)
#define SERIAL_TASKS(TASK) TASK(SerialReceiveP__decode) TASK(SerialSendP__encode)
#define TRICKLE_TIMERS(TIMER) TIMER(TrickleC__Next)

#include "app.h"

// Task <name> has the body <name>__runTask, and timer <name> the handler
// <name>__fired.
#define AS_ID(name) name,

enum task_id { TASKS(AS_ID) };

enum timer_id { TIMERS(AS_ID) };

#define AS_ONE(name) +1

enum {
    SchedulerBasicP__NUM_TASKS = 0 TASKS(AS_ONE),
    SchedulerBasicP__NO_TASK = 255,
    VirtualizeTimerC__NUM_TIMERS = 0 TIMERS(AS_ONE),
};

#endif
