package job

import (
	"fmt"
	"slices"
	"strings"

	"motehound/job/phrase"
	"motehound/mote/board"
	"motehound/mote/chip"
)

// NoVectorError says that a chip does not have an interrupt.
type NoVectorError struct {
	Flag string
	Err  error
}

func (e *NoVectorError) Error() string { return fmt.Sprintf("--%s: %v", e.Flag, e.Err) }

// Vectors are the names of the interrupts of a board or chip, or of all chips if neither is known.
func Vectors(boardName, chipName string) (all []string) {
	for _, c := range chip.All() {
		given := strings.EqualFold(c.Name, chipName)
		for _, b := range board.All() {
			given = given || b.Chip == c && strings.EqualFold(b.Name, boardName)
		}
		if given {
			all = nil
		}
		for _, name := range c.Vectors {
			if name != "" && !slices.Contains(all, name) {
				all = append(all, name)
			}
		}
		if given {
			break
		}
	}
	return all
}

// VectorNumbers reads interrupts; nil if none is given.
func VectorNumbers(c *chip.Chip, flag string, texts []string) ([]uint16, error) {
	var list []uint16
	for _, text := range texts {
		v, err := VectorNumber(c, flag, text)
		if err != nil {
			return nil, err
		}
		list = append(list, uint16(v))
	}
	return list, nil
}

// VectorNumber reads an interrupt.
func VectorNumber(c *chip.Chip, flag, text string) (uint8, error) {
	v, err := c.Vector(text)
	if err != nil {
		return 0, &NoVectorError{flag, fmt.Errorf("%w%s", err, phrase.DidYouMean(text, c.Vectors))}
	}
	return v, nil
}

// Timers are the interrupts of a chip by which its timers count. A capture is of something outside.
func Timers(c *chip.Chip) []uint16 {
	var list []uint16
	for n, name := range c.Vectors {
		if strings.HasPrefix(name, "TIMER") && !strings.HasSuffix(name, "_CAPT") {
			list = append(list, uint16(n))
		}
	}
	return list
}

// VectorName names interrupts as the datasheet does.
func VectorName(c *chip.Chip) func(uint16) string {
	return func(v uint16) string { return c.VectorName(uint8(v)) }
}
