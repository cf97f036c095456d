package chip

import (
	"fmt"
	"strings"
	"testing"

	"motehound/mote/periph"
)

type serialTables struct {
	mcu    string
	usarts []periph.USARTConfig
	spi    *periph.SPIConfig
	twi    *periph.TWIConfig
}

var allSerialTables = []serialTables{
	{"atmega128", atmega128USARTs, &atmega128SPI, &atmega128TWI},
	{"atmega1281", ATmega1281.USARTs, ATmega1281.SPI, ATmega1281.TWI},
	{"atmega2560", atmega2560USARTs, &atmega2560SPI, &atmega2560TWI},
	{"atmega328p", atmega328pUSARTs, &atmega328pSPI, &atmega328pTWI},
}

func (f *facts) usart(n int, vectors string, u *periph.USARTConfig) {
	for reg, addr := range map[string]uint16{
		"UDR#": u.UDR, "UCSR#A": u.UCSRA, "UCSR#B": u.UCSRB, "UCSR#C": u.UCSRC, "UBRR#L": u.UBRRL, "UBRR#H": u.UBRRH,
	} {
		f.reg(strings.ReplaceAll(reg, "#", fmt.Sprint(n)), addr)
	}
	f.vector(vectors+"_RX", u.RX)
	f.vector(vectors+"_UDRE", u.UDRE)
	f.vector(vectors+"_TX", u.TX)
	// The code of package periph has the bits in fixed places.
	mode := "UMSEL#"
	if u.MSPIM {
		mode = "UMSEL#0"
	}
	for bit, at := range map[string]uint32{
		"RXC#": 7, "TXC#": 6, "UDRE#": 5, "FE#": 4, "DOR#": 3, "UPE#": 2, "U2X#": 1, "MPCM#": 0,
		"RXCIE#": 7, "TXCIE#": 6, "UDRIE#": 5, "RXEN#": 4, "TXEN#": 3, "UCSZ#2": 2, "RXB8#": 1, "TXB8#": 0,
		mode: 6, "UPM#1": 5, "UPM#0": 4, "USBS#": 3, "UCSZ#1": 2, "UCSZ#0": 1, "UCPOL#": 0,
	} {
		name := strings.ReplaceAll(bit, "#", fmt.Sprint(n))
		f.add(name, name, at)
	}
}

func (f *facts) spiAndTWI(s *periph.SPIConfig, w *periph.TWIConfig) {
	for reg, addr := range map[string]uint16{
		"SPCR": s.SPCR, "SPSR": s.SPSR, "SPDR": s.SPDR,
		"TWBR": w.TWBR, "TWSR": w.TWSR, "TWAR": w.TWAR, "TWDR": w.TWDR, "TWCR": w.TWCR, "TWAMR": w.TWAMR,
	} {
		f.reg(reg, addr)
	}
	f.vector("SPI_STC", s.STC)
	f.vector("TWI", w.Vector)
	for name, bit := range map[string]uint32{
		"SPIE": 7, "SPE": 6, "DORD": 5, "MSTR": 4, "CPOL": 3, "CPHA": 2, "SPR1": 1, "SPR0": 0, "SPIF": 7, "WCOL": 6,
		"SPI2X": 0, "TWINT": 7, "TWEA": 6, "TWSTA": 5, "TWSTO": 4, "TWWC": 3, "TWEN": 2, "TWIE": 0, "TWGCE": 0, "TWPS1": 1,
		"TWPS0": 0,
	} {
		f.add(name, name, bit)
	}
}

func TestSerialTablesAgainstAVRLibc(t *testing.T) {
	for _, c := range allSerialTables {
		t.Run(c.mcu, func(t *testing.T) {
			var f facts
			for n := range 4 {
				if n >= len(c.usarts) {
					f.reg(fmt.Sprintf("UDR%d", n), 0)
					continue
				}
				vectors := fmt.Sprintf("USART%d", n)
				if len(c.usarts) == 1 {
					vectors = "USART"
				}
				f.usart(n, vectors, &c.usarts[n])
			}
			f.spiAndTWI(c.spi, c.twi)
			for i, want := range f.ask(t, c.mcu) {
				if f.values[i] != want {
					t.Errorf("%s is %#x in our table; avr-libc: %s = %#x", f.names[i], f.values[i], f.exprs[i], want)
				}
			}
		})
	}
}

// No register, vector or pad serves two of a chip's serial interfaces, and none is missing.
func TestSerialTablesAreUnique(t *testing.T) {
	for _, c := range allSerialTables {
		seen := map[string]bool{}
		once := func(kind string, v any, missing bool) {
			key := fmt.Sprint(kind, " ", v)
			if seen[key] || missing {
				t.Errorf("%s: %s is used twice, or missing", c.mcu, key)
			}
			seen[key] = true
		}
		regs := []uint16{c.spi.SPCR, c.spi.SPSR, c.spi.SPDR, c.twi.TWBR, c.twi.TWSR, c.twi.TWAR, c.twi.TWDR, c.twi.TWCR}
		vectors := []uint8{c.spi.STC, c.twi.Vector}
		pads := []periph.Pin{c.spi.SS, c.spi.SCK, c.spi.MOSI, c.spi.MISO, c.twi.SDA, c.twi.SCL}
		for n, u := range c.usarts {
			if u.Name != fmt.Sprintf("USART%d", n) {
				t.Errorf("%s: USART %d is called %s", c.mcu, n, u.Name)
			}
			regs = append(regs, u.UDR, u.UCSRA, u.UCSRB, u.UCSRC, u.UBRRL, u.UBRRH)
			vectors = append(vectors, u.RX, u.UDRE, u.TX)
			pads = append(pads, u.RXD, u.TXD, u.XCK)
		}
		for _, r := range regs {
			once("register", r, r == 0)
		}
		for _, v := range vectors {
			once("vector", v, v == 0)
		}
		for _, p := range pads {
			once("pad", p, p == periph.NoPin)
		}
	}
}
