// Variables with the names and types that TinyOS 2's components have in their binaries, and a receiver of serial packets whose
// test of the lock is right or, in a mode, wrong. Values are set from outside.
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>

typedef struct { uint8_t nxdata[2]; } __attribute__((packed)) nx_uint16_t;
typedef struct { uint8_t nxdata[4]; } __attribute__((packed)) nx_uint32_t;

uint16_t TOS_NODE_ID = 1;

// Serial stack
enum receive { SerialDispatcherP__0__RECV_STATE_IDLE, SerialDispatcherP__0__RECV_STATE_BEGIN, SerialDispatcherP__0__RECV_STATE_DATA };
volatile enum receive last;
volatile struct {
    uint8_t which : 1;
    uint8_t bufZeroLocked : 1;
    uint8_t bufOneLocked : 1;
    uint8_t state : 2;
} SerialDispatcherP__0__receiveState;
volatile uint8_t wrong;

// CTP
volatile struct {
    uint16_t parent;
    uint16_t etx;
    uint8_t haveHeard;
    uint8_t congested;
} CtpRoutingEngineP__0__routeInfo = { .parent = 0xFFFF };
volatile uint8_t CtpRoutingEngineP__0__state_is_root;

// Drip, DIP and DHV
volatile uint8_t DisseminationEngineImplP__m_running;
volatile uint32_t DipVersionP__versions[4];
volatile uint32_t DhvVersionP__versions[64];
volatile uint32_t DisseminatorP__0__valueCache;
volatile struct { uint8_t data[16]; } DisseminatorP__1__valueCache;

// FTSP
enum table { TimeSyncP__0__ENTRY_VALID_LIMIT = 4 };
volatile enum table limit;
typedef struct {
    nx_uint16_t rootID;
    nx_uint16_t nodeID;
    uint8_t seqNum;
    nx_uint32_t globalTime;
} TimeSyncMsg;
TimeSyncMsg TimeSyncP__0__outgoingMsgBuffer;
TimeSyncMsg *volatile TimeSyncP__0__outgoingMsg;
volatile uint8_t TimeSyncP__0__numEntries;

static uint8_t locked(void)
{
    uint8_t which = SerialDispatcherP__0__receiveState.which ^ wrong;
    return which ? SerialDispatcherP__0__receiveState.bufOneLocked : SerialDispatcherP__0__receiveState.bufZeroLocked;
}

static inline uint8_t SerialDispatcherP__0__ReceiveBytePacket__startPacket(void)
{
    if (locked())
        return 1;
    SerialDispatcherP__0__receiveState.state = SerialDispatcherP__0__RECV_STATE_BEGIN;
    return 0;
}

// A packet that begins every two milliseconds, and ends at once.
ISR(TIMER0_OVF_vect)
{
    SerialDispatcherP__0__receiveState.state = SerialDispatcherP__0__RECV_STATE_IDLE;
    last = SerialDispatcherP__0__ReceiveBytePacket__startPacket();
}

int main(void)
{
    TimeSyncP__0__outgoingMsg = &TimeSyncP__0__outgoingMsgBuffer;
    limit = TimeSyncP__0__ENTRY_VALID_LIMIT;
    TCCR0 = 4;
    TIMSK = 1 << TOIE0;
    set_sleep_mode(SLEEP_MODE_IDLE);
    sleep_enable();
    sei();
    for (;;)
        sleep_cpu();
}
