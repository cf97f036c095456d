#include "adc_now.h"

#include "board.h"

#define AS_ONE_CLIENT(name, channel) +1

enum { NUM_CLIENTS = 0 ADC_CLIENTS(AS_ONE_CLIENT) };    // of adc.h, which no app needs to have

static volatile bool AdcNowP__isConverting;    // for the client of this file,
static volatile bool AdcNowP__isWaiting;       // which waits for one of the others,
static volatile bool AdcNowP__isHeldUp;        // or one of them for it,
static uint8_t AdcNowP__heldUp;                // with this input

uint16_t AdcNowP__interrupts;

static void AdcNowP__begin(uint8_t channel)
{
    ADMUX = ADC_REFERENCE | channel;
    ADCSRA = ADC_START;
}

static void AdcNowP__beginNow(void)
{
    AdcNowP__isConverting = true;
    AdcNowP__begin(ADC_NOW_CHANNEL);
}

error_t AdcNowP__read(void)
{
    atomic {
        if (AdcNowP__isConverting || AdcNowP__isWaiting)
            return EBUSY;
        if (ADCSRA & (1 << ADEN))
            AdcNowP__isWaiting = true;
        else
            AdcNowP__beginNow();
    }
    return SUCCESS;
}

void AdcNowP__convert(uint8_t channel)
{
    atomic {
        if (AdcNowP__isConverting) {
            AdcNowP__isHeldUp = true;
            AdcNowP__heldUp = channel;
        } else {
            AdcNowP__begin(channel);
        }
    }
}

ISR(ADC_vect)
{
    uint16_t value = ADC;

    AdcNowP__interrupts++;
    ADCSRA = 0;
    if (AdcNowP__isConverting) {
        AdcNowP__isConverting = false;
        if (AdcNowP__isHeldUp) {
            AdcNowP__isHeldUp = false;
            AdcNowP__begin(AdcNowP__heldUp);
        }
        AdcNowP__readDone(value);
        return;
    }
    if (AdcNowP__isWaiting) {
        AdcNowP__isWaiting = false;
        AdcNowP__beginNow();
    }
    if (NUM_CLIENTS > 0)
        AdcP__converted(value);
}
