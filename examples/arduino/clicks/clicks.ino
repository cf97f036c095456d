// A button at pin 2: each click switches the LED on or off.
//
// The bug: both the interrupt and loop change clicks. clicks-- is three instructions: read, subtract, write. If the button comes between them,
// its click is lost.

const byte BUTTON = 2;

volatile byte clicks;
bool on;

void clicked() { clicks++; }

void setup() {
  pinMode(LED_BUILTIN, OUTPUT);
  pinMode(BUTTON, INPUT_PULLUP);
  attachInterrupt(digitalPinToInterrupt(BUTTON), clicked, FALLING);
}

void loop() {
  if (clicks > 0) {
#ifdef FIXED
    noInterrupts();
    clicks--;
    interrupts();
#else
    clicks--;  // BUG: the button may come in the middle of this
#endif
    on = !on;
    digitalWrite(LED_BUILTIN, on);
  }
}
