package mote

import (
	"fmt"
	"strings"

	"motehound/firmware/image"
	"motehound/mote/board"
	"motehound/mote/chip"
)

// UsualHertz is the clock of a bare chip of which nothing else is known: that of the boards that most often carry it, the
// Mica family (and its successor with the ATmega1281) or the Arduinos.
func UsualHertz(c *chip.Chip) uint64 {
	switch c {
	case &chip.ATmega128, &chip.ATmega1281:
		return board.MicaZ.Hertz
	}
	return board.Uno.Hertz
}

// Infer guesses the board that a firmware was built for, from the chip that the file names and the drivers in it, and
// says why.
func Infer(im *image.Image) (b *board.Board, why string, err error) {
	mcu := strings.ToLower(im.MCU)
	switch {
	case mcu == "atmega328p":
		return &board.Uno, "it was built for the atmega328p", nil
	case mcu == "atmega2560":
		return &board.Mega2560, "it was built for the atmega2560", nil
	case mcu == "atmega128" || mcu == "atmega128a" || mcu == "" && im.Arch == 51:
		for _, b := range board.All() {
			if b.Chip != &chip.ATmega128 || b.Radio == nil {
				continue
			}
			for _, s := range im.Symbols {
				if strings.Contains(strings.ToLower(s.Name), strings.ToLower(b.Radio.Name)) {
					return b, "it was built for the atmega128 and has " + image.Readable(s.Name), nil
				}
			}
		}
		for _, sym := range im.Symbols {
			if strings.HasPrefix(sym.Name, "SchedulerBasicP__") || strings.HasPrefix(sym.Name, "TOSH_") {
				return &board.MicaZ, "it is a TinyOS program for the atmega128 without a radio driver, which any Mica runs", nil
			}
		}
		return board.Bare(&chip.ATmega128, UsualHertz(&chip.ATmega128)), "it was built for the atmega128 and has no radio driver", nil
	}
	said := "does not say which chip it was built for"
	if im.MCU != "" {
		said = "was built for the " + im.MCU
	}
	return nil, "", fmt.Errorf("%s %s: choose a board with --board (%s), or a chip with --chip and --hz (%s)", im.Path, said,
		names(board.All(), func(b *board.Board) string { return b.Name }),
		names(chip.All(), func(c *chip.Chip) string { return c.Name }))
}

func names[T any](all []T, name func(T) string) string {
	var list []string
	for _, x := range all {
		list = append(list, name(x))
	}
	return strings.Join(list, ", ")
}

// OwnID is the node id that a firmware file has before anybody sets one: that of the first of the symbols, or of
// IDSymbols if they are nil.
func OwnID(im *image.Image, symbols []string) (id uint16, ok bool, err error) {
	k := Kind{Image: im}
	if err := k.findIDs(symbols); err != nil || len(k.ids) == 0 {
		return 0, false, err
	}
	for i := range k.ids[0].size {
		id |= uint16(im.Flash[k.ids[0].addr+i]) << (8 * i)
	}
	return id, true, nil
}
