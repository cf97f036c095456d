// A rotary encoder at pins 2 and 3: an interrupt counts its steps, and loop prints where it is.
//
// The bug: an int has two bytes, and reading it is two instructions. If a step comes between them when the position goes from 0 to -1,
// loop reads half of each: 255, or -256.

const byte CLOCK = 2, DATA = 3;

volatile int position;
int shown;

void step() {
  if (digitalRead(DATA)) position++;
  else position--;
}

void setup() {
  Serial.begin(9600);
  pinMode(CLOCK, INPUT_PULLUP);
  attachInterrupt(digitalPinToInterrupt(CLOCK), step, FALLING);
}

void loop() {
#ifdef FIXED
  noInterrupts();
  int now = position;
  interrupts();
#else
  int now = position;  // BUG: a step may come in the middle of this
#endif
  if (now != shown) {
    shown = now;
    Serial.println(shown);
  }
}
