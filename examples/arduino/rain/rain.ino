// A rain gauge at pin 2: its bucket tips, an interrupt counts that, and loop adds it up, ten times a second.
//
// The bug: loop takes the count and sets it to 0. If the bucket tips in between, that is lost.

const byte GAUGE = 2;

volatile unsigned int tips;
unsigned int total;

void tipped() { tips++; }

void setup() {
  pinMode(GAUGE, INPUT_PULLUP);
  attachInterrupt(digitalPinToInterrupt(GAUGE), tipped, FALLING);
}

void loop() {
#ifdef FIXED
  noInterrupts();
  total += tips;
  tips = 0;
  interrupts();
#else
  total += tips;
  tips = 0;  // BUG: the bucket may tip before this
#endif
  delay(100);
}
