// Switching the CC1000 on, its settings and its two directions.
//
// The frequencies (SWRS048, Frequency Programming), with the board's crystal:
//
//   f_ref = 14.7456 MHz / REFDIV, between 1.00 and 2.46 MHz
//   f_VCO = f_ref * (FREQ + FSEP * bit + 8192) / 16384
//
// When receiving, f_VCO is 150 kHz (the intermediate frequency) below the channel,
// so that bits are not inverted; it is best a multiple of f_ref / 2. With
// REFDIV = 8, f_ref = 1.8432 MHz and 471 times that is 868.1472 MHz: the channel is
// at 868.2972 MHz. When transmitting, the two bits are 64 kHz apart (what the
// datasheet has for 38.4 kBaud), around the channel:
//
//   FREQ_A = 471 * 16384 - 8192                                 = 7708672
//   FREQ_B = FREQ_A + (150 kHz - 64 kHz / 2) / f_ref * 16384    = FREQ_A + 1049
//   FSEP   = 64 kHz / f_ref * 16384                             = 569
#include "board.h"    // first: the next needs its F_CPU

#include <util/delay.h>

#include "cc1000.h"
#include "micro.h"
#include "radio.h"
#include "timer.h"

#define REFDIV 8UL
#define F_REF (14745600UL / REFDIV)
#define STEPS(hertz) (((hertz) * 16384ULL + F_REF / 2) / F_REF)
#define SEPARATION 64000UL
#define FREQ_A (471UL * 16384 - 8192)
#define FREQ_B (FREQ_A + STEPS(150000UL - SEPARATION / 2))

enum {
    // MAIN. The chip is reset while RESET_N is 0.
    RXTX = 1 << 7,
    F_REG = 1 << 6,
    RX_PD = 1 << 5,
    TX_PD = 1 << 4,
    FS_PD = 1 << 3,
    BIAS_PD = 1 << 1,
    RESET_N = 1 << 0,

    MAIN_RESET = RX_PD | TX_PD | FS_PD | BIAS_PD,
    MAIN_CORE = MAIN_RESET | RESET_N,
    MAIN_RECEIVE = TX_PD | RESET_N,
    MAIN_TRANSMIT = RXTX | F_REG | RX_PD | RESET_N,

    // Currents of the VCO, its driver and the amplifier's, for 868 MHz.
    CURRENT_RECEIVE = 8 << 4 | 3 << 2,
    CURRENT_TRANSMIT = 15 << 4 | 3 << 0,

    CAL_START = 1 << 7,
    CAL_WAIT = 1 << 5,
    CAL_COMPLETE = 1 << 3,
    CAL_ITERATE = 6,

    // The crystal starts within 4 ms; a calibration takes 34 ms where f_ref is
    // 1 MHz, and less here.
    CRYSTAL_MS = 5,
    CALIBRATION_MS = 10,
    CALIBRATION_TRIES = 10,

    // The synthesizer locks within 250 us, and then the amplifier takes 20.
    LOCK_US = 250,
    AMPLIFIER_US = 20,
};

// For 868 MHz, 38.4 kBaud with Manchester coding: 19,200 bits a second.
static const struct {
    uint8_t reg;
    uint8_t value;
} CC1000ControlP__settings[] = {
    { CC1000_FREQ_2A, FREQ_A >> 16 },
    { CC1000_FREQ_2A + 1, FREQ_A >> 8 & 0xFF },
    { CC1000_FREQ_2A + 2, FREQ_A & 0xFF },
    { CC1000_FREQ_2B, FREQ_B >> 16 },
    { CC1000_FREQ_2B + 1, FREQ_B >> 8 & 0xFF },
    { CC1000_FREQ_2B + 2, FREQ_B & 0xFF },
    { CC1000_FSEP1, STEPS(SEPARATION) >> 8 },
    { CC1000_FSEP1 + 1, STEPS(SEPARATION) & 0xFF },
    { CC1000_FRONT_END, 1 << 5 | 2 << 3 | 1 << 1 },    // currents for 868 MHz; RSSI on its pin
    { CC1000_PLL, REFDIV << 3 },
    { CC1000_CAL, CAL_WAIT | CAL_ITERATE },
    { CC1000_MODEM2, 0 },                              // no peak detector: Manchester has no long runs
    { CC1000_MODEM1, 3 << 5 | 1 << 3 | 3 << 1 | 1 },   // averaging never locks, likewise
    { CC1000_MODEM0, 5 << 4 | 1 << 2 | 1 << 0 },       // 38.4 kBaud, Manchester, 14.7456 MHz
    { CC1000_MATCH, 1 << 4 },
    { CC1000_FSCTRL, 1 << 0 },                         // the synthesizer's shaper is not in reset
    { CC1000_PRESCALER, 0 },
    { CC1000_TEST4, 0x3F },                            // for 38.4 kBaud and more
};

enum { NUM_SETTINGS = sizeof CC1000ControlP__settings / sizeof CC1000ControlP__settings[0] };

// PA_POW at 868 MHz (SWRS048, Output Power Programming).
static const struct {
    int8_t dBm;
    uint8_t value;
} CC1000ControlP__powers[] = {
    { 5, 0xFF }, { 4, 0xF0 }, { 3, 0xC0 }, { 2, 0xB0 }, { 1, 0x90 }, { 0, 0x80 }, { -2, 0x60 },
    { -5, 0x40 }, { -8, 0x0C }, { -10, 0x09 }, { -15, 0x05 }, { -20, 0x02 },
};

enum {
    NUM_POWERS = sizeof CC1000ControlP__powers / sizeof CC1000ControlP__powers[0],
    POWER_0_DBM = 5,
};

static enum { RADIO_OFF, RADIO_CRYSTAL, RADIO_CALIBRATE_RX, RADIO_CALIBRATE_TX, RADIO_ON } CC1000ControlP__state;
static uint8_t CC1000ControlP__tries;
static uint8_t CC1000ControlP__power = POWER_0_DBM;

bool CC1000ControlP__isOn(void)
{
    return CC1000ControlP__state == RADIO_ON;
}

error_t RadioC__start(void)
{
    if (CC1000ControlP__state != RADIO_OFF)
        return EBUSY;
    CC1000ControlP__state = RADIO_CRYSTAL;
    CC1000BusP__start();
    CC1000BusP__write(CC1000_MAIN, MAIN_RESET);
    CC1000BusP__write(CC1000_MAIN, MAIN_CORE);
    TimerC__startOneShot(CC1000ControlP__StartUp, CRYSTAL_MS);
    return SUCCESS;
}

// Each direction has its own frequency, hence its own calibration. The amplifier
// is off meanwhile.
static void CC1000ControlP__calibrate(uint8_t main, uint8_t current)
{
    CC1000BusP__write(CC1000_PA_POW, 0);
    CC1000BusP__write(CC1000_CURRENT, current);
    CC1000BusP__write(CC1000_MAIN, main);
    CC1000BusP__write(CC1000_CAL, CAL_START | CAL_WAIT | CAL_ITERATE);
    CC1000ControlP__tries = CALIBRATION_TRIES;
    TimerC__startOneShot(CC1000ControlP__StartUp, CALIBRATION_MS);
}

static void CC1000ControlP__fail(void)
{
    CC1000BusP__write(CC1000_MAIN, MAIN_RESET);
    CC1000ControlP__state = RADIO_OFF;
    RadioC__startDone(FAIL);
}

static void CC1000ControlP__calibrated(void)
{
    CC1000BusP__write(CC1000_CAL, CAL_WAIT | CAL_ITERATE);
    if (CC1000ControlP__state == RADIO_CALIBRATE_RX) {
        CC1000ControlP__state = RADIO_CALIBRATE_TX;
        CC1000ControlP__calibrate(MAIN_TRANSMIT, CURRENT_TRANSMIT);
        return;
    }
    CC1000ControlP__state = RADIO_ON;
    MicroC__start();
    CC1000ControlP__receive();
    CC1000LinkP__listen();
    RadioC__startDone(SUCCESS);
}

void CC1000ControlP__StartUp__fired(void)
{
    if (CC1000ControlP__state == RADIO_CRYSTAL) {
        for (uint8_t i = 0; i < NUM_SETTINGS; i++)
            CC1000BusP__write(CC1000ControlP__settings[i].reg, CC1000ControlP__settings[i].value);
        CC1000ControlP__state = RADIO_CALIBRATE_RX;
        CC1000ControlP__calibrate(MAIN_RECEIVE, CURRENT_RECEIVE);
    } else if (CC1000BusP__read(CC1000_CAL) & CAL_COMPLETE) {
        CC1000ControlP__calibrated();
    } else if (--CC1000ControlP__tries == 0) {
        CC1000ControlP__fail();
    } else {
        TimerC__startOneShot(CC1000ControlP__StartUp, CALIBRATION_MS);
    }
}

void CC1000ControlP__transmit(void)
{
    CC1000BusP__write(CC1000_CURRENT, CURRENT_TRANSMIT);
    CC1000BusP__write(CC1000_MAIN, MAIN_TRANSMIT);
    _delay_us(LOCK_US);
    CC1000BusP__write(CC1000_PA_POW, CC1000ControlP__powers[CC1000ControlP__power].value);
    _delay_us(AMPLIFIER_US);
}

// No wait: until the synthesizer has locked there are no bits, or they are noise,
// which they may be at any time.
void CC1000ControlP__receive(void)
{
    CC1000BusP__write(CC1000_PA_POW, 0);
    CC1000BusP__write(CC1000_CURRENT, CURRENT_RECEIVE);
    CC1000BusP__write(CC1000_MAIN, MAIN_RECEIVE);
}

void RadioC__setPower(int8_t dBm)
{
    uint8_t i = 0;

    while (i < NUM_POWERS - 1 && CC1000ControlP__powers[i].dBm > dBm)
        i++;
    CC1000ControlP__power = i;
}

int8_t RadioC__getPower(void)
{
    return CC1000ControlP__powers[CC1000ControlP__power].dBm;
}
