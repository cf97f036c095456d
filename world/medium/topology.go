package medium

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
)

// DefaultGain is what a link has whose gain nobody gave: a strong signal at a few metres.
const DefaultGain = -60

// speedOfLight is picoseconds per metre.
const speedOfLight = 3336

// Both is a link in both directions.
func Both(a, b int, gainDB, loss float64) []Link {
	return []Link{{From: a, To: b, GainDB: gainDB, Loss: loss}, {From: b, To: a, GainDB: gainDB, Loss: loss}}
}

// Line links each mote to its neighbours in a row.
func Line(n int, gainDB, loss float64) []Link {
	var links []Link
	for i := 1; i < n; i++ {
		links = append(links, Both(i-1, i, gainDB, loss)...)
	}
	return links
}

// Grid links each mote of a w*h grid, numbered row by row, to its neighbours left, right, above and below.
func Grid(w, h int, gainDB, loss float64) []Link {
	var links []Link
	for y := range h {
		for x := range w {
			i := y*w + x
			if x > 0 {
				links = append(links, Both(i-1, i, gainDB, loss)...)
			}
			if y > 0 {
				links = append(links, Both(i-w, i, gainDB, loss)...)
			}
		}
	}
	return links
}

// Full links every mote to every other.
func Full(n int, gainDB, loss float64) []Link {
	var links []Link
	for a := range n {
		for b := a + 1; b < n; b++ {
			links = append(links, Both(a, b, gainDB, loss)...)
		}
	}
	return links
}

// Disk scatters motes over a square of the given side in metres and links those within reach. Gains fall with the square
// of the distance from -40 dB at one metre. The layout is a function of the seed; layouts that fall apart are passed
// over, for up to a thousand tries.
func Disk(n int, side, reach, loss float64, seed uint64) ([]Link, error) {
	rng := rand.New(rand.NewPCG(seed, 0x6D6F7465))
	for range 1000 {
		x, y := make([]float64, n), make([]float64, n)
		for i := range n {
			x[i], y[i] = rng.Float64()*side, rng.Float64()*side
		}
		var links []Link
		for a := range n {
			for b := a + 1; b < n; b++ {
				d := math.Hypot(x[a]-x[b], y[a]-y[b])
				if d > reach {
					continue
				}
				// Rounded, so that the last bits of a floating point unit do not get into recipes.
				gain := math.Round((-40-20*math.Log10(max(d, 1)))*100) / 100
				pair := Both(a, b, gain, loss)
				for i := range pair {
					pair[i].Delay = uint64(math.Round(d)) * speedOfLight
				}
				links = append(links, pair...)
			}
		}
		if connected(n, links) {
			return links, nil
		}
	}
	return nil, fmt.Errorf("no connected layout of %d motes with reach %g in a square of side %g: give more reach", n, reach, side)
}

// connected reports whether every mote can be reached from mote 0.
func connected(n int, links []Link) bool {
	reached := make([]bool, n)
	if n == 0 {
		return true
	}
	reached[0] = true
	count := 1
	for grew := true; grew; {
		grew = false
		for _, l := range links {
			if reached[l.From] && !reached[l.To] {
				reached[l.To], grew = true, true
				count++
			}
		}
	}
	return count == n
}

// ReadGains reads TOSSIM's format: lines "gain SRC DST dB"; lines "noise ..." are accepted and passed over; # starts a
// comment. Motes are named by id; index turns an id into a mote's index.
func ReadGains(name string, r io.Reader, index func(id int) (int, bool)) ([]Link, error) {
	var links []Link
	s := bufio.NewScanner(r)
	for line := 1; s.Scan(); line++ {
		text, _, _ := strings.Cut(s.Text(), "#")
		f := strings.Fields(text)
		if len(f) == 0 || f[0] == "noise" {
			continue
		}
		bad := func(why string) error { return fmt.Errorf("%s:%d: %s: a line is \"gain SRC DST dB\"", name, line, why) }
		if f[0] == "gain" {
			f = f[1:]
		}
		if len(f) != 3 {
			return nil, bad(fmt.Sprintf("%d fields", len(f)))
		}
		from, err1 := strconv.Atoi(f[0])
		to, err2 := strconv.Atoi(f[1])
		gain, err3 := strconv.ParseFloat(f[2], 64)
		if err1 != nil || err2 != nil || err3 != nil {
			return nil, bad("not numbers")
		}
		a, ok1 := index(from)
		b, ok2 := index(to)
		if !ok1 || !ok2 {
			continue // the file may describe a larger network
		}
		links = append(links, Link{From: a, To: b, GainDB: gain})
	}
	if err := s.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return links, nil
}

// Topologies are the names that Named knows, for help texts.
const Topologies = "line, grid, full, disk"

// Named is a topology of n motes by name. A grid is as square as n allows, filled row by row.
func Named(name string, n int, gainDB, loss float64, seed uint64) ([]Link, error) {
	switch name {
	case "line":
		return Line(n, gainDB, loss), nil
	case "full":
		if n*(n-1) > MaxLinks {
			return nil, fmt.Errorf("%d motes that all hear each other have more than %d links: choose another topology, or fewer motes", n, MaxLinks)
		}
		return Full(n, gainDB, loss), nil
	case "grid":
		w := 1
		for w*w < n {
			w++
		}
		var links []Link
		for _, l := range Grid(w, (n+w-1)/w, gainDB, loss) {
			if l.From < n && l.To < n {
				links = append(links, l)
			}
		}
		return links, nil
	case "disk":
		// About eight neighbours each, so that it is connected at most tries.
		side := 10 * math.Sqrt(float64(n))
		return Disk(n, side, 18, loss, seed)
	}
	return nil, fmt.Errorf("unknown topology %q: choose one of %s, or name a file of TOSSIM gains", name, Topologies)
}
