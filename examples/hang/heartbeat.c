// Each mote tells its neighbours that it is alive, twice a second.
#include "am_queue.h"
#include "hang.h"
#include "leds.h"
#include "random.h"
#include "timer.h"

enum { BEAT_MS = RADIO_PACE == 1 ? 500 : 1000 };

static message_t HeartbeatP__message;

// What is true, for whoever reads the memory of a mote.
uint16_t HeartbeatP__sent;
uint16_t HeartbeatP__notSent;    // the radio was busy: the next will do
uint16_t HeartbeatP__heard;

// Motes that are switched on together do not send together.
void HeartbeatP__start(void)
{
    TimerC__startOneShot(HeartbeatP__Phase, RandomC__below(BEAT_MS));
}

void HeartbeatP__Phase__fired(void)
{
    TimerC__startPeriodic(HeartbeatP__Beat, BEAT_MS);
}

void HeartbeatP__Beat__fired(void)
{
    LedsP__toggle(LED0);
    if (AMQueueP__send(HeartbeatP__Beacon, TOS_BCAST_ADDR, AM_HEARTBEAT, &HeartbeatP__message, 0) != SUCCESS)
        HeartbeatP__notSent++;
}

void HeartbeatP__Beacon__sendDone(message_t *message, error_t error, bool wasAcked)
{
    if (error == SUCCESS)
        HeartbeatP__sent++;
    else
        HeartbeatP__notSent++;
}

void HeartbeatP__received(am_addr_t from)
{
    HeartbeatP__heard++;
}
