#include "arbiter.h"

#include "adc.h"

enum { NOBODY = 255 };

// Oldest first: at this size moving the rest up is less code than a ring.
static uint8_t ArbiterP__queue[NUM_SENSORS];
static uint8_t ArbiterP__numWaiting;
static uint8_t ArbiterP__owner = NOBODY;

static const uint8_t ArbiterP__adc[NUM_SENSORS] = { LightP__Adc, BatteryP__Adc };

error_t ArbiterP__read(uint8_t sensor)
{
    for (uint8_t i = 0; i < ArbiterP__numWaiting; i++)
        if (ArbiterP__queue[i] == sensor)
            return EBUSY;
    ArbiterP__queue[ArbiterP__numWaiting++] = sensor;
    post(ArbiterP__grant);
    return SUCCESS;
}

// The ADC has no other reader of that name, so it does not refuse.
void ArbiterP__grant__runTask(void)
{
    if (ArbiterP__owner != NOBODY || ArbiterP__numWaiting == 0)
        return;
    ArbiterP__owner = ArbiterP__queue[0];
    ArbiterP__numWaiting--;
    for (uint8_t i = 0; i < ArbiterP__numWaiting; i++)
        ArbiterP__queue[i] = ArbiterP__queue[i + 1];
    AdcP__read(ArbiterP__adc[ArbiterP__owner]);
}

static void ArbiterP__release(void)
{
    ArbiterP__owner = NOBODY;
    post(ArbiterP__grant);
}

void LightP__Adc__readDone(uint16_t value)
{
    ArbiterP__release();
    ReadingsC__readDone(value);
}

void BatteryP__Adc__readDone(uint16_t value)
{
    ArbiterP__release();
    ReadingsC__batteryDone(value);
}
