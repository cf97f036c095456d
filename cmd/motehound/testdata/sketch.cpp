// A sketch on Arduino's own core: what it prints, and when, is known.
#include <Arduino.h>

static volatile unsigned presses;

static void pressed() { presses++; }

void setup()
{
    pinMode(LED_BUILTIN, OUTPUT);
    pinMode(12, OUTPUT);
    pinMode(2, INPUT_PULLUP);
    attachInterrupt(digitalPinToInterrupt(2), pressed, FALLING);
    Serial.begin(115200);
    Serial.println(F("sketch on " __FILE__));
    Serial.print("analog ");
    Serial.println(analogRead(A0));
    Serial.print("pi ");
    Serial.println(PI, 4);
    analogWrite(6, 64);    // timer 0, a quarter of the time
    tone(12, 1000, 50);    // timer 2, 50 ms of 1 kHz
}

void loop()
{
    static unsigned count;

    digitalWrite(LED_BUILTIN, count % 2 == 0);
    unsigned long before = millis();
    delay(100);
    Serial.print("tick ");
    Serial.print(count++);
    Serial.print(" after ");
    Serial.println(millis() - before);
    while (Serial.available()) {
        int c = Serial.read();
        Serial.print("got ");
        Serial.println(c, HEX);
    }
    if (count == 3)
        digitalWrite(2, LOW);
}
