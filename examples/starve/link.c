// The radio's link, but for its last step: when a message is out, the handler tells
// the task queue, in which there may be no room.
#include "board.h"    // first: the next needs its F_CPU

#include <util/delay.h>

#include "cc1000.h"
#include "micro.h"
#include "starve.h"

static error_t StarveP__post(enum task_id task);

#define post StarveP__post
#include "mica2/cc1000_link.c"
#undef post

// How long the chip takes to turn round, by its register writes and until its
// synthesizer has locked.
enum { TURN_ROUND_US = 400 };

static void StarveP__listen(void)
{
    CC1000ControlP__receive();
    _delay_us(TURN_ROUND_US);
}

// After the last byte was sent, in the handler. Where there is no room, it is tried
// again when the radio has its next byte: 0.42 ms after the last.
static error_t StarveP__post(enum task_id task)
{
    if (task != CC1000LinkP__sent)
        return SchedulerBasicP__TaskBasic__postTask(task);
#ifndef FIXED
    StarveP__listen();    // BUG: takes as long as the radio's next byte, even if the post fails: then no task runs any more
#endif
    if (!QueueP__post(JOB_SENT)) {
        CC1000LinkP__tx.left = 1;
        CC1000LinkP__state = LINK_TX_FLUSH;
        return EBUSY;
    }
#ifdef FIXED
    StarveP__listen();
#endif
    return SUCCESS;
}
