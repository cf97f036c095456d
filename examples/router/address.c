// Who this mote is.
#include "router.h"

am_addr_t AddressP__address(void)
{
    return ActiveMessageAddressC__addr;
}
