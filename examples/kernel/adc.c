// One ADC for many clients. It is on only from a read to its result, so that the
// mote sleeps deeply between.
#include "adc.h"

#include "adc_now.h"
#include "board.h"

#define AS_ONE_CLIENT(name, channel) +1

enum {
    NUM_CLIENTS = 0 ADC_CLIENTS(AS_ONE_CLIENT),
    NO_CLIENT = 255,
};

#define AS_CHANNEL(name, channel) channel,

static const uint8_t AdcP__channel[NUM_CLIENTS] = { ADC_CLIENTS(AS_CHANNEL) };

static bool AdcP__isWaiting[NUM_CLIENTS];
static uint8_t AdcP__current = NO_CLIENT;    // whose conversion is under way
static volatile uint16_t AdcP__value;

#define DECLARE_READ_DONE(name, channel) void name##__readDone(uint16_t value);
ADC_CLIENTS(DECLARE_READ_DONE)

static void AdcP__readDone(enum adc_client client, uint16_t value)
{
#define CALL_READ_DONE(name, channel) case name: name##__readDone(value); break;
    switch (client) {
    ADC_CLIENTS(CALL_READ_DONE)
    }
}

static void AdcP__convert(uint8_t client)
{
    AdcP__current = client;
    AdcP__isWaiting[client] = false;
#ifdef ADC_NOW_CHANNEL
    AdcNowP__convert(AdcP__channel[client]);
#else
    ADMUX = ADC_REFERENCE | AdcP__channel[client];
    ADCSRA = ADC_START;
#endif
}

error_t AdcP__read(enum adc_client client)
{
    if (AdcP__current == client || AdcP__isWaiting[client])
        return EBUSY;
    if (AdcP__current == NO_CLIENT)
        AdcP__convert(client);
    else
        AdcP__isWaiting[client] = true;
    return SUCCESS;
}

#ifdef ADC_NOW_CHANNEL
void AdcP__converted(uint16_t value)
{
    AdcP__value = value;
    post(AdcP__acquired);
}
#else
ISR(ADC_vect)
{
    AdcP__value = ADC;
    ADCSRA = 0;
    post(AdcP__acquired);
}
#endif

// Starts the next conversion before telling of this one, going round from
// whose turn it was: a client that reads again at once starves no other.
void AdcP__acquired__runTask(void)
{
    uint8_t done = AdcP__current;
    uint16_t value = AdcP__value;    // no conversion runs, so no handler writes it
    uint8_t next = done;

    AdcP__current = NO_CLIENT;
    do {
        if (++next == NUM_CLIENTS)
            next = 0;
        if (AdcP__isWaiting[next]) {
            AdcP__convert(next);
            break;
        }
    } while (next != done);
    AdcP__readDone(done, value);
}
