// Your functions for a flash (motehound_trace_port.h), on a board that has none: whoever watches takes the pages.
#include <string.h>

#include "motehound_trace_port.h"

enum { TEST_PAGE_SIZE = MH_TRACE_CHUNK * MH_TRACE_CHUNKS };

uint8_t test_buffer[TEST_PAGE_SIZE] MH_TRACE_KEPT;
uint8_t test_page MH_TRACE_KEPT;

// The page with this number is in the buffer.
void __attribute__((noinline)) test_commit(void)
{
    __asm__ volatile("" ::: "memory");
}

void mh_trace_store_start(void)
{
}

uint8_t mh_trace_store_append(uint16_t page, uint16_t offset, const uint8_t *bytes, uint8_t length)
{
    if (offset == 0)
        memset(test_buffer, 0xFF, TEST_PAGE_SIZE);
    memcpy(&test_buffer[offset], bytes, length);
    test_page = page;
    return MH_TRACE_DONE;
}

uint8_t mh_trace_store_commit(uint16_t page)
{
    test_commit();
    return MH_TRACE_DONE;
}

uint8_t mh_trace_store_read(uint16_t page, uint16_t offset, uint8_t *bytes, uint8_t length)
{
    memset(bytes, 0xFF, length);
    return MH_TRACE_DONE;
}
