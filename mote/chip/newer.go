package chip

import "motehound/mote/periph"

// What the ATmega328P, the ATmega1281 and the ATmega2560 have at the same addresses, except for their timers (timers.go). Numbers of
// vectors, and pads, come from the chips. Datasheets: DS40002061 and 2549, "Register Summary".

// pins lists pads as a port's letter with bit numbers behind it: "E0J01" is E0, J0 and J1.
func pins(text string) (list [16]periph.Pin) {
	var port byte
	n := 0
	for _, c := range []byte(text) {
		if c >= 'A' {
			port = c
			continue
		}
		list[n] = periph.P(port, c-'0')
		n++
	}
	return list
}

// port is a port whose PINx, DDRx and PORTx follow each other. A write to PINx toggles, and PUD is in MCUCR.
func port(name byte, pin uint16, pads uint8, didr ...periph.DIDRConfig) periph.PortConfig {
	p := periph.PortConfig{Name: name, PIN: pin, DDR: pin + 1, PORT: pin + 2, Mask: pads, Pads: pads, PINToggles: true, PUD: periph.RegBit{Reg: 0x55, Bit: 4}}
	copy(p.DIDR[:], didr)
	return p
}

// pinChange is pin change interrupts: three vectors in a row, each for up to eight pads.
func pinChange(vector uint8, banks ...string) periph.PinChangeConfig {
	c := periph.PinChangeConfig{PCICR: 0x68, PCIFR: 0x3B}
	for i, text := range banks {
		list := pins(text)
		c.Banks[i] = periph.PinChangeBank{PCMSK: 0x6B + uint16(i), Vector: vector + uint8(i), Pins: [8]periph.Pin(list[:8])}
	}
	return c
}

// eepromModes is an EEPROM with programming modes; times are those of "EEPROM Mode Bits" (Table 8-1).
func eepromModes(size uint32, vector uint8) periph.EEPROMConfig {
	return periph.EEPROMConfig{
		EEARL: 0x41, EEARH: 0x42, EEDR: 0x40, EECR: 0x3F,
		Size: size, Vector: vector,
		EEPM:     true,
		BothTime: 3_400_000_000, SingleTime: 1_800_000_000, // picoseconds
	}
}

// usart is a USART whose registers begin with UCSRnA, and whose vectors with RX. The pads are RXD, TXD and XCK.
func usart(name string, ucsra uint16, rx uint8, pads string) periph.USARTConfig {
	p := pins(pads)
	return periph.USARTConfig{
		Name: name,
		UDR:  ucsra + 6, UCSRA: ucsra, UCSRB: ucsra + 1, UCSRC: ucsra + 2, UBRRL: ucsra + 4, UBRRH: ucsra + 5,
		RX: rx, UDRE: rx + 1, TX: rx + 2,
		RXD: p[0], TXD: p[1], XCK: p[2],
		MSPIM: true,
	}
}

func twi(vector uint8, sda, scl periph.Pin) periph.TWIConfig {
	return periph.TWIConfig{TWBR: 0xB8, TWSR: 0xB9, TWAR: 0xBA, TWDR: 0xBB, TWCR: 0xBC, TWAMR: 0xBD, Vector: vector, SDA: sda, SCL: scl}
}

// adcTriggers are 2549, Table 26-6, and DS40002061, Table 24-6.
var adcTriggers = [8]periph.Signal{
	periph.SigNone, periph.SigAnalogComparator, periph.SigExternalInterrupt0, periph.SigTimer0Compare,
	periph.SigTimer0Overflow, periph.SigTimer1CompareB, periph.SigTimer1Overflow, periph.SigTimer1Capture,
}
