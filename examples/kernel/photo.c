#include "photo.h"

#include "adc.h"
#include "board.h"
#include "timer.h"

// How long the photocell takes to settle (TinyOS's mts300 driver waits as long).
enum { WARM_UP_MS = 10 };

static bool PhotoC__isBusy;

error_t PhotoC__read(void)
{
    if (PhotoC__isBusy)
        return EBUSY;
    PhotoC__isBusy = true;
    atomic {
        PHOTO_DDR |= PHOTO_PIN;
        PHOTO_PORT |= PHOTO_PIN;
    }
    TimerC__startOneShot(PhotoC__WarmUp, WARM_UP_MS);
    return SUCCESS;
}

// The sensor is the ADC's only client of that name, and reads once at a time, so
// this cannot fail.
void PhotoC__WarmUp__fired(void)
{
    AdcP__read(PhotoC__Read);
}

void PhotoC__Read__readDone(uint16_t value)
{
    atomic {
        PHOTO_PORT &= ~PHOTO_PIN;
        PHOTO_DDR &= ~PHOTO_PIN;
    }
    PhotoC__isBusy = false;
    PhotoC__readDone(value);
}
