#include "dhv.h"

// What is true, for whoever reads the memory of a mote.
uint16_t SummaryP__told;
uint16_t SummaryP__differ;    // hashes heard that are not the own one

// Fletcher's, so that it matters which key has which version.
static uint16_t SummaryP__hash(void)
{
    uint8_t sum = 1, sums = 0;

    for (uint8_t key = 0; key < NUM_KEYS; key++) {
        sum += DhvC__versions[key];
        sums += sum;
    }
    return (uint16_t)sums << 8 | sum;
}

void SummaryP__send(void)
{
    summary_t *summary = SenderP__payload(sizeof *summary);

    if (summary == NULL)
        return;
    nx_set8(&summary->kind, MSG_SUMMARY);
    nx_set16(&summary->hash, SummaryP__hash());
    if (SenderP__send(sizeof *summary) == SUCCESS)
        SummaryP__told++;
}

bool SummaryP__heard(const summary_t *summary)
{
    bool isSame = nx_get16(&summary->hash) == SummaryP__hash();

    SummaryP__differ += !isSame;
    return isSame;
}
