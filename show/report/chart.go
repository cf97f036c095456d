package report

import (
	"strings"

	"motehound/observe/outputs"
)

// Chart draws a mote's lights over time, one line each: a column is lit, dark, or half-toned where the light changed more
// often than the columns can show.
func Chart(changes []outputs.LEDChange, leds int, until uint64, columns int) []string {
	lines := make([]string, leds)
	for led := range lines {
		var (
			s    strings.Builder
			next int
			on   bool
		)
		for col := range columns {
			from, to := until/uint64(columns)*uint64(col), until/uint64(columns)*uint64(col+1)
			lit, at, changed := uint64(0), from, 0
			for ; next < len(changes) && changes[next].At < to; next++ {
				c := changes[next]
				if c.LED != led {
					continue
				}
				if t := max(c.At, from); on {
					lit += t - at
					at = t
				} else {
					at = t
				}
				on = c.On
				changed++
			}
			if on {
				lit += to - at
			}
			switch {
			case changed > 1:
				s.WriteRune('▒')
			case 2*lit >= to-from:
				s.WriteRune('█')
			default:
				s.WriteRune('·')
			}
		}
		lines[led] = s.String()
	}
	return lines
}
