// Switching the CC2420 on, and its settings.
#include "board.h"
#include "cc2420.h"
#include "micro.h"
#include "radio.h"
#include "timer.h"

enum {
    CHANNEL = 26,

    // Texas Instruments, in MANFIDL.
    MANUFACTURER = 0x33D,
    MANUFACTURER_MASK = 0xFFF,

    // The regulator may take 0.6 ms, the oscillator typically takes 0.86
    // (SWRS041, Electrical Specifications). A timer may be short by up to one.
    REGULATOR_MS = 2,
    OSCILLATOR_MS = 1,
    OSCILLATOR_TRIES = 10,

    // Address recognition; a clear channel needs both no signal above -77 dBm and no
    // frame being received; FCS made and checked, acknowledgements sent, by the
    // chip; four bytes of zeros before each frame.
    MDMCTRL0 = (1 << 11) | (2 << 8) | (3 << 6) | (1 << 5) | (1 << 4) | 2,

    // The correlation that makes a start delimiter, as the datasheet wants it (the
    // reset value is another).
    MDMCTRL1 = 20 << 6,

    // Bias current of the receiver's filters, likewise.
    RXCTRL1 = 0x2A56,

    // 2048 MHz + FREQ; channel 11 is at 2405 MHz, and channels are 5 MHz apart.
    FSCTRL = (1 << 14) | (357 + 5 * (CHANNEL - 11)),

    // As after reset, but without the protection of the RXFIFO, which is for
    // frames that the chip decrypts.
    SECCTRL0 = 0x01C4,

    // FIFOP rises when a frame is complete, and not before.
    IOCFG0 = 127,

    // As after reset, without the amplifier's level.
    TXCTRL = 0xA0E0,
};

// The amplifier's levels (SWRS041, Table 9).
static const struct {
    int8_t dBm;
    uint8_t level;
} CC2420ControlP__powers[] = {
    { 0, 31 }, { -1, 27 }, { -3, 23 }, { -5, 19 }, { -7, 15 }, { -10, 11 }, { -15, 7 }, { -25, 3 },
};

enum { NUM_POWERS = sizeof CC2420ControlP__powers / sizeof CC2420ControlP__powers[0] };

static enum { RADIO_OFF, RADIO_REGULATOR, RADIO_OSCILLATOR, RADIO_ON } CC2420ControlP__state;
static uint8_t CC2420ControlP__tries;
static uint8_t CC2420ControlP__power;    // in the table

bool CC2420ControlP__isOn(void)
{
    return CC2420ControlP__state == RADIO_ON;
}

error_t RadioC__start(void)
{
    if (CC2420ControlP__state != RADIO_OFF)
        return EBUSY;
    CC2420ControlP__state = RADIO_REGULATOR;
    atomic {
        PORTA = (PORTA & ~CC2420_RSTN) | CC2420_VREN;
        DDRA |= CC2420_RSTN | CC2420_VREN;
    }
    TimerC__startOneShot(CC2420ControlP__StartUp, REGULATOR_MS);
    return SUCCESS;
}

static void CC2420ControlP__fail(void)
{
    atomic PORTA &= ~(CC2420_RSTN | CC2420_VREN);
    CC2420ControlP__state = RADIO_OFF;
    RadioC__startDone(FAIL);
}

static void CC2420ControlP__writePower(void)
{
    CC2420SpiP__write(CC2420_TXCTRL, TXCTRL | CC2420ControlP__powers[CC2420ControlP__power].level);
}

// The oscillator is needed for the RAM, the registers would do without.
static void CC2420ControlP__configure(void)
{
    const uint16_t addresses[] = { TOS_AM_GROUP, ActiveMessageAddressC__addr };

    CC2420SpiP__write(CC2420_MDMCTRL0, MDMCTRL0);
    CC2420SpiP__write(CC2420_MDMCTRL1, MDMCTRL1);
    CC2420SpiP__write(CC2420_RXCTRL1, RXCTRL1);
    CC2420SpiP__write(CC2420_FSCTRL, FSCTRL);
    CC2420SpiP__write(CC2420_SECCTRL0, SECCTRL0);
    CC2420SpiP__write(CC2420_IOCFG0, IOCFG0);
    CC2420SpiP__writeRam(CC2420_RAM_PANID, addresses, sizeof addresses);
    CC2420ControlP__writePower();
}

static void CC2420ControlP__regulatorIsOn(void)
{
    atomic PORTA |= CC2420_RSTN;
    CC2420SpiP__start();
    if ((CC2420SpiP__read(CC2420_MANFIDL) & MANUFACTURER_MASK) != MANUFACTURER) {
        CC2420ControlP__fail();
        return;
    }
    CC2420SpiP__strobe(CC2420_SXOSCON);
    CC2420ControlP__tries = OSCILLATOR_TRIES;
    CC2420ControlP__state = RADIO_OSCILLATOR;
    TimerC__startOneShot(CC2420ControlP__StartUp, OSCILLATOR_MS);
}

static void CC2420ControlP__awaitOscillator(void)
{
    if (!(CC2420SpiP__strobe(CC2420_SNOP) & CC2420_STATUS_XOSC16M_STABLE)) {
        if (--CC2420ControlP__tries == 0)
            CC2420ControlP__fail();
        else
            TimerC__startOneShot(CC2420ControlP__StartUp, OSCILLATOR_MS);
        return;
    }
    CC2420ControlP__configure();
    MicroC__start();
    CC2420TransmitP__start();
    CC2420ReceiveP__start();
    CC2420SpiP__strobe(CC2420_SRXON);
    CC2420ControlP__state = RADIO_ON;
    RadioC__startDone(SUCCESS);
}

void CC2420ControlP__StartUp__fired(void)
{
    if (CC2420ControlP__state == RADIO_REGULATOR)
        CC2420ControlP__regulatorIsOn();
    else
        CC2420ControlP__awaitOscillator();
}

void RadioC__setPower(int8_t dBm)
{
    uint8_t i = 0;

    while (i < NUM_POWERS - 1 && CC2420ControlP__powers[i].dBm > dBm)
        i++;
    CC2420ControlP__power = i;
    if (CC2420ControlP__isOn())
        CC2420ControlP__writePower();
}

int8_t RadioC__getPower(void)
{
    return CC2420ControlP__powers[CC2420ControlP__power].dBm;
}
