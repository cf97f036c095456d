/* A second unit, with a static of a name that types.c has too. */
static int shared = 22;

int other(int by)
{
    static int calls = 50;
    calls += by;
    shared += by;
    return shared;
}
