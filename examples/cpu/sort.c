// Heap sort of numbers and quicksort of records, the records by two orders
// through a function pointer.
//
// Covers 16- and 32-bit comparisons, pointers with displacement, recursion and
// indirect calls.
//
// result = 0x1ABBC125
#include "cpu.h"

enum {
    ROUNDS = 200,
    NUM_NUMBERS = 400,
    NUM_RECORDS = 150,
    SHORT_RUN = 8,    // below this, insertion is quicker than splitting
};

typedef struct {
    uint16_t key;
    uint8_t tag;
    uint32_t serial;
} __attribute__((packed)) record_t;

typedef bool (*less_t)(const record_t *, const record_t *);

static uint32_t numbers[NUM_NUMBERS];
static record_t records[NUM_RECORDS];

static void siftDown(uint16_t root, uint16_t end)
{
    uint32_t value = numbers[root];
    uint16_t child;

    while ((child = 2 * root + 1) < end) {
        if (child + 1 < end && numbers[child] < numbers[child + 1])
            child++;
        if (numbers[child] <= value)
            break;
        numbers[root] = numbers[child];
        root = child;
    }
    numbers[root] = value;
}

static void heapSort(void)
{
    for (uint16_t root = NUM_NUMBERS / 2; root-- > 0;)
        siftDown(root, NUM_NUMBERS);
    for (uint16_t end = NUM_NUMBERS; end-- > 1;) {
        uint32_t largest = numbers[0];

        numbers[0] = numbers[end];
        numbers[end] = largest;
        siftDown(0, end);
    }
}

static bool lessByKey(const record_t *a, const record_t *b)
{
    if (a->key != b->key)
        return a->key < b->key;
    return a->serial < b->serial;
}

static bool lessByTag(const record_t *a, const record_t *b)
{
    if (a->tag != b->tag)
        return a->tag < b->tag;
    return a->serial < b->serial;
}

static void insertionSort(record_t *first, record_t *last, less_t less)
{
    for (record_t *next = first + 1; next <= last; next++) {
        record_t moving = *next;
        record_t *hole = next;

        while (hole > first && less(&moving, hole - 1)) {
            *hole = *(hole - 1);
            hole--;
        }
        *hole = moving;
    }
}

static void swap(record_t *a, record_t *b)
{
    record_t t = *a;

    *a = *b;
    *b = t;
}

// Recurses into the shorter part only, so the stack stays logarithmic.
static void quickSort(record_t *first, record_t *last, less_t less)
{
    while (last - first >= SHORT_RUN) {
        record_t pivot = first[(last - first) / 2];
        record_t *i = first;
        record_t *j = last;

        while (i <= j) {
            while (less(i, &pivot))
                i++;
            while (less(&pivot, j))
                j--;
            if (i <= j)
                swap(i++, j--);
        }
        if (j - first < last - i) {
            quickSort(first, j, less);
            first = i;
        } else {
            quickSort(i, last, less);
            last = j;
        }
    }
    insertionSort(first, last, less);
}

int main(void)
{
    static const less_t orders[] = { lessByKey, lessByTag };
    uint32_t random = 2463534242;
    uint32_t checksum = 0;

    for (uint16_t round = 0; round < ROUNDS; round++) {
        for (uint16_t i = 0; i < NUM_NUMBERS; i++)
            numbers[i] = xorshift(&random);
        heapSort();
        for (uint16_t i = 1; i < NUM_NUMBERS; i++)
            if (numbers[i - 1] > numbers[i])
                finish(0);
        checksum = mix(checksum, numbers[round]);

        for (uint8_t i = 0; i < NUM_RECORDS; i++) {
            records[i].serial = xorshift(&random);
            records[i].key = records[i].serial >> 16;
            records[i].tag = records[i].serial >> 3;
        }
        for (uint8_t order = 0; order < 2; order++) {
            quickSort(records, records + NUM_RECORDS - 1, orders[order]);
            for (uint8_t i = 1; i < NUM_RECORDS; i++)
                if (orders[order](&records[i], &records[i - 1]))
                    finish(0);
            checksum = mix(checksum, records[round % NUM_RECORDS].serial);
        }
    }
    finish(checksum);
}
