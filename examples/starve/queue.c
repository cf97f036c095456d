// A task queue as TinyOS 1 has it: eight places, and a post fails when they are
// taken.
#include "starve.h"

enum { QUEUE_SIZE = 8 };

static volatile uint8_t QueueP__jobs[QUEUE_SIZE];
static volatile uint8_t QueueP__first, QueueP__number;

// What is true, for whoever reads the memory of a mote.
uint16_t QueueP__refused;

void CC1000LinkP__sent__runTask(void);

bool QueueP__post(enum job job)
{
    bool isPosted = false;

    atomic {
        if (QueueP__number < QUEUE_SIZE) {
            QueueP__jobs[(QueueP__first + QueueP__number) % QUEUE_SIZE] = job;
            QueueP__number++;
            isPosted = true;
        } else {
            QueueP__refused++;
        }
    }
    if (isPosted)
        post(QueueP__run);
    return isPosted;
}

// One job at a time: other tasks have their turn between two.
void QueueP__run__runTask(void)
{
    uint8_t job;

    atomic {
        if (QueueP__number == 0)
            return;
        job = QueueP__jobs[QueueP__first];
        QueueP__first = (QueueP__first + 1) % QUEUE_SIZE;
        QueueP__number--;
    }
    if (job == JOB_SENT)
        CC1000LinkP__sent__runTask();
    else
        StarveC__work();
    post(QueueP__run);
}
