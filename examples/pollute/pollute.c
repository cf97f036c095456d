// Pollute: sends readings in packets of three, with a bug: a packet that waits to be
// sent is overwritten when the mote is busy (Sentomist, ICDCS 2010, Figure 2 and case
// study I, after TinyOS's Oscilloscope).
//
// What one must see: every mote but 0 samples its accelerometer every period ms, by a
// hardware timer of its own, and broadcasts each three readings with its id and a
// number, in an active message of type 147. Mote 0 is the sink, and shows the
// lowest bits of the number. Every 317 ms a mote also works out the spectrum of its
// last readings, of 560 ms. That is a long task: 32 ms at a period of 20, a quarter
// of it at 40, and so on. When it begins just before the third reading of a packet,
// the next reading comes before the packet's task, and is written over its first.
//
// What must be found: among the ADC's intervals (vector 22) those in which the first
// reading of a packet was lost. Such an interval begins with the interrupt of the
// third reading, whose number is in pollutedOf; the interrupt that overwrites, whose
// number is in pollutedBy, comes before the task that the interval waits for. Numbers
// count the ADC's interrupts since boot, from 1. polluted says how many there are,
// and the last 16 of them are at [i % 16], for i below polluted. It stays 0 in the fixed
// build, which takes no readings from the third of a packet until that is sent, and in
// the buffered one, which has two packets and fills one while the other waits.
//
//   motehound run --nodes 2 --time 10s --var PolluteC__polluted --var PolluteC__pollutedOf example:pollute-micaz
//
// Runs with other periods are in pollute.star.
#include "adc_now.h"
#include "leds.h"
#include "pollute.h"
#include "radio.h"
#include "timer.h"

enum {
    AM_OSCILLOSCOPE = 147,    // 0x93, as TinyOS's
    SINK = 0,
    NUM_READINGS = 3,
    NUM_NOTES = 16,

    // Prime, so that it meets the period at every phase.
    ANALYSIS_MS = 317,

    // Timer 3 counts the CPU's clock by 64, and from 0 again after a period.
    SAMPLING = (1 << WGM32) | (1 << CS31) | (1 << CS30),
    TENTHS_PER_MS = F_CPU / 64 / 100,

#ifdef BUFFERED
    NUM_PACKETS = 2,
#else
    NUM_PACKETS = 1,
#endif
};

typedef struct {
    nx_uint16_t node;
    nx_uint16_t number;
    nx_uint16_t readings[NUM_READINGS];
} oscilloscope_t;

static oscilloscope_t PolluteC__packets[NUM_PACKETS];
static uint8_t PolluteC__filling;     // which of them,
static uint8_t PolluteC__dataItem;    // and what in it
static uint8_t PolluteC__full;        // the one to be sent

static message_t PolluteC__message;
static bool PolluteC__isSending;

// For a sweep: 1 to 568 ms.
uint16_t PolluteC__period = 20;

// What is true, for whoever reads the memory of a mote.
uint16_t PolluteC__readings;
uint16_t PolluteC__sent;
uint16_t PolluteC__notSent;               // the radio would not
uint16_t PolluteC__heard;                 // the sink's
uint16_t PolluteC__polluted;
uint16_t PolluteC__pollutedBy[NUM_NOTES];
uint16_t PolluteC__pollutedOf[NUM_NOTES];

static bool PolluteC__isUnsent[NUM_PACKETS];
static uint16_t PolluteC__filledBy[NUM_PACKETS];

// Does the same whether or not it is true, so that it is not this by which an
// interval is told from others.
static inline void PolluteC__note(uint8_t packet)
{
    uint8_t i = (uint8_t)PolluteC__polluted % NUM_NOTES;

    PolluteC__pollutedBy[i] = AdcNowP__interrupts;
    PolluteC__pollutedOf[i] = PolluteC__filledBy[packet];
    PolluteC__polluted += PolluteC__isUnsent[packet];
}

void BootC__booted(void)
{
    RadioC__start();
}

void RadioC__startDone(error_t error)
{
    if (error != SUCCESS) {
        RadioC__start();
        return;
    }
    if (TOS_NODE_ID == SINK)
        return;
    TimerC__startPeriodic(PolluteC__Analysis, ANALYSIS_MS);
    atomic {
        OCR3A = (uint32_t)PolluteC__period * TENTHS_PER_MS / 10 - 1;
        TCCR3B = SAMPLING;
        ETIMSK |= 1 << OCIE3A;
    }
}

ISR(TIMER3_COMPA_vect)
{
    AdcNowP__read();
}

#ifdef FIXED

// The timer counts on, so that readings keep to its periods. For a handler.
static void PolluteC__pauseSampling(void)
{
    ETIMSK &= ~(1 << OCIE3A);
}

// From the next period on: what was due meanwhile is forgotten.
static void PolluteC__resumeSampling(void)
{
    atomic {
        ETIFR = 1 << OCF3A;
        ETIMSK |= 1 << OCIE3A;
    }
}

#else

static void PolluteC__pauseSampling(void)
{
}

static void PolluteC__resumeSampling(void)
{
}

#endif

// In the ADC's handler.
void AdcNowP__readDone(uint16_t reading)
{
    oscilloscope_t *packet = &PolluteC__packets[PolluteC__filling];

    PolluteC__readings++;
    SpectrumP__put(reading);
    PolluteC__note(PolluteC__filling);
    nx_set16(&packet->readings[PolluteC__dataItem], reading);
    if (++PolluteC__dataItem == NUM_READINGS) {
        PolluteC__dataItem = 0;
        PolluteC__isUnsent[PolluteC__filling] = true;
        PolluteC__filledBy[PolluteC__filling] = AdcNowP__interrupts;
        PolluteC__full = PolluteC__filling;
        PolluteC__filling = (PolluteC__filling + 1) % NUM_PACKETS;
        PolluteC__pauseSampling();
        post(PolluteC__prepareAndSendPacket);
    }
}

void PolluteC__prepareAndSendPacket__runTask(void)
{
    oscilloscope_t *packet = (oscilloscope_t *)PolluteC__message.data;

    if (PolluteC__isSending) {
        PolluteC__notSent++;
        PolluteC__isUnsent[PolluteC__full] = false;
        return;
    }
    atomic {
        *packet = PolluteC__packets[PolluteC__full];
        PolluteC__isUnsent[PolluteC__full] = false;
    }
    nx_set16(&packet->node, TOS_NODE_ID);
    nx_set16(&packet->number, PolluteC__sent);
    if (RadioC__send(TOS_BCAST_ADDR, AM_OSCILLOSCOPE, &PolluteC__message, sizeof *packet) == SUCCESS) {
        PolluteC__isSending = true;
        return;
    }
    PolluteC__notSent++;
    PolluteC__resumeSampling();
}

void RadioC__sendDone(message_t *message, error_t error, bool wasAcked)
{
    PolluteC__isSending = false;
    PolluteC__sent++;
    PolluteC__resumeSampling();
}

void PolluteC__Analysis__fired(void)
{
    post(PolluteC__analyse);
}

void PolluteC__analyse__runTask(void)
{
    SpectrumP__analyse(PolluteC__period);
}

message_t *RadioC__receive(message_t *message, uint8_t length, const radio_info_t *info)
{
    const oscilloscope_t *packet = (const oscilloscope_t *)message->data;

    if (TOS_NODE_ID == SINK && nx_get8(&message->header.type) == AM_OSCILLOSCOPE && length == sizeof *packet) {
        PolluteC__heard++;
        LedsP__set(nx_get16(&packet->number));
    }
    return message;
}
