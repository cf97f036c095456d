/* Every kind of type and place a variable can have. All are initialised, so
 * that values.txt can say what a debugger must show before main starts. */
typedef unsigned char uint8_t;
typedef signed char int8_t;
typedef unsigned int uint16_t;
typedef int int16_t;
typedef unsigned long uint32_t;
typedef long int32_t;
typedef unsigned long long uint64_t;
typedef long long int64_t;

/* as nesC writes its network types */
typedef struct { unsigned char nxdata[1]; } __attribute__((packed)) nx_int8_t;
typedef struct { unsigned char nxdata[2]; } __attribute__((packed)) nx_uint16_t;
typedef struct { unsigned char nxdata[2]; } __attribute__((packed)) nx_int16_t;
typedef struct { unsigned char nxdata[4]; } __attribute__((packed)) nx_uint32_t;
typedef struct { unsigned char nxdata[8]; } __attribute__((packed)) nx_int64_t;
typedef struct { unsigned char nxdata[2]; } __attribute__((packed)) nxle_uint16_t;
typedef struct { unsigned char nxdata[4]; } __attribute__((packed)) nxle_int32_t;
typedef nx_uint16_t nx_am_addr_t;

uint8_t u8 = 200;
int8_t s8 = -100;
uint16_t u16 = 54321;
int16_t s16 = -12345;
uint32_t u32 = 4000000000UL;
int32_t s32 = -2000000000L;
uint64_t u64 = 0xFEDCBA9876543210ULL;
int64_t s64 = -1234567890123456789LL;
_Bool yes = 1;
char letter = 'x';
float ratio = -2.5f;
double exact = 0.1;
volatile const uint16_t qualified = 7;

enum color { RED, GREEN = 5, BLUE };
enum signedness { MINUS = -1, PLUS = 1 };
enum { TASK_BLINK = 3, TASK_SEND, NUM_TASKS };
enum color shade = GREEN;
enum color odd = 9;
enum signedness sign = MINUS;

struct flags {
    unsigned low : 3;
    unsigned mid : 7;
    int small : 4;
    uint8_t one : 1;
    uint8_t : 2;
    uint8_t tail : 5;
};
struct flags flags = { 5, 99, -3, 1, 21 };

struct wide { uint32_t a : 20; uint32_t b : 12; int32_t c : 31; };
struct wide wide = { 0xABCDE, 0x123, -7 };

union mix { uint16_t word; uint8_t byte[2]; struct { uint8_t lo, hi; } part; };
union mix mix = { 0x1234 };

struct point { int16_t x, y; };
struct nested {
    uint8_t id;
    struct point corner[2];
    union { uint16_t whole; uint8_t half[2]; };
    struct nested *next;
};
struct nested second = { 2, { { 5, 6 }, { 7, 8 } }, { 0xBEEF }, 0 };
struct nested first = { 1, { { 1, -2 }, { 3, -4 } }, { 0xCAFE }, &second };
struct nested *head = &first;
struct nested **handle = &head;

uint8_t row[5] = { 1, 2, 3, 4, 5 };
int16_t grid[2][3] = { { 1, 2, 3 }, { -1, -2, -3 } };
struct point points[3] = { { 10, 11 }, { 20, 21 }, { 30, 31 } };
uint8_t by_task[NUM_TASKS] = { 9, 8, 7, 6, 5 };
char text[8] = "mote";
uint8_t *cursor = &row[3];
void *untyped = row;

/* a packet as TinyOS lays it out */
typedef struct {
    nx_am_addr_t dest;
    nxle_uint16_t crc;
    nx_uint32_t when;
    nx_int8_t rssi;
    nx_int16_t temp;
    nxle_int32_t drift;
    nx_int64_t big;
    nx_uint16_t readings[2];
} __attribute__((packed)) packet_t;
packet_t packet = {
    { { 0x12, 0x34 } }, { { 0x34, 0x12 } }, { { 1, 2, 3, 4 } }, { { 0xFF } }, { { 0xFF, 0x38 } },
    { { 0xFE, 0xFF, 0xFF, 0xFF } }, { { 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFD } },
    { { { 0, 7 } }, { { 1, 0 } } },
};

/* names and shapes as in TinyOS's serial stack */
typedef struct {
    uint8_t which : 1;
    uint8_t bufZeroLocked : 1;
    uint8_t bufOneLocked : 1;
    uint8_t state : 2;
} recv_state_t;
recv_state_t SerialDispatcherP__0__receiveState = { 1, 0, 1, 2 };
uint8_t AMQueueImplP__1__current = 4;
uint8_t AMQueueImplP__2__current = 8;

static int shared = 11; /* and another one in types2.c */
const uint8_t in_flash[3] __attribute__((progmem)) = { 0x11, 0x22, 0x33 };
uint8_t in_eeprom[2] __attribute__((section(".eeprom"))) = { 0x44, 0x55 };

extern int other(int);
int unused = 3;
int never_called(int a) { return a + unused; }

__attribute__((noinline)) int count_calls(int step)
{
    static int calls = 40;
    calls += step;
    return calls;
}

int (*hook)(int) = count_calls;

#define KEEP(x) __asm__ volatile("" : : "r"(&(x)) : "memory")

int main(void)
{
    KEEP(u8); KEEP(s8); KEEP(u16); KEEP(s16); KEEP(u32); KEEP(s32); KEEP(u64); KEEP(s64);
    KEEP(yes); KEEP(letter); KEEP(ratio); KEEP(exact); KEEP(qualified); KEEP(shade); KEEP(odd); KEEP(sign);
    KEEP(flags); KEEP(wide); KEEP(mix); KEEP(handle); KEEP(row); KEEP(grid); KEEP(points); KEEP(by_task);
    KEEP(text); KEEP(cursor); KEEP(untyped); KEEP(packet); KEEP(SerialDispatcherP__0__receiveState);
    KEEP(AMQueueImplP__1__current); KEEP(AMQueueImplP__2__current); KEEP(in_flash); KEEP(in_eeprom); KEEP(shared);
    for (;;)
        other(hook(1));
}
