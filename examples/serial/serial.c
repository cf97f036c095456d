// Serial: frames both ways, like TinyOS's TestSerial, and an echo.
//
// What one must see: every 1000 ms a serial frame with an active message of type
// 9 to everyone, whose data is a counter from 1 up, 16 bits, high byte first:
//
//   7E 45 00 FF FF 00 01 02 22 09 00 01 crc crc 7E
//
// Any active message sent to the mote comes back, with the same type and data,
// to the address it came from. If it is of type 9, the LEDs show the three lowest
// bits of its counter. If its frame was of protocol 68 (44 hex), that is
// answered first, with the frame's sequence number:
//
//   7E 43 sequence crc crc 7E
#include "kernel.h"
#include "leds.h"
#include "serial.h"
#include "timer.h"

enum {
    AM_TEST_SERIAL = 9,
    PERIOD_MS = 1000,
};

typedef struct {
    nx_uint16_t counter;
} test_serial_t;

static message_t TestSerialC__count;
static bool TestSerialC__isCounting;    // the count belongs to the driver
static uint16_t TestSerialC__counter;

// The buffer to give in exchange for one that is echoed; none while an echo is
// on its way.
static message_t TestSerialC__spareBuffer;
static message_t *TestSerialC__spare = &TestSerialC__spareBuffer;

static uint8_t TestSerialC__notCounted;
static uint8_t TestSerialC__notEchoed;

void BootC__booted(void)
{
    SerialC__start();
    TimerC__startPeriodic(TestSerialC__Timer, PERIOD_MS);
}

void TestSerialC__Timer__fired(void)
{
    TestSerialC__counter++;
    if (TestSerialC__isCounting) {
        TestSerialC__notCounted++;
        return;
    }

    test_serial_t *test = (test_serial_t *)TestSerialC__count.data;

    nx_set16(&test->counter, TestSerialC__counter);
    if (SerialC__send(TOS_BCAST_ADDR, AM_TEST_SERIAL, &TestSerialC__count, sizeof *test) == SUCCESS)
        TestSerialC__isCounting = true;
    else
        TestSerialC__notCounted++;
}

message_t *SerialC__receive(message_t *message, uint8_t length)
{
    uint8_t type = nx_get8(&message->header.type);

    if (type == AM_TEST_SERIAL && length >= sizeof(test_serial_t)) {
        const test_serial_t *test = (const test_serial_t *)message->data;

        LedsP__set(nx_get16(&test->counter));
    }

    message_t *spare = TestSerialC__spare;

    if (spare == NULL || SerialC__send(nx_get16(&message->header.src), type, message, length) != SUCCESS) {
        TestSerialC__notEchoed++;
        return message;
    }
    TestSerialC__spare = NULL;
    return spare;
}

void SerialC__sendDone(message_t *message)
{
    if (message == &TestSerialC__count)
        TestSerialC__isCounting = false;
    else
        TestSerialC__spare = message;
}
