package transcript

import (
	"regexp"
	"strings"
)

// rest tells whether a line stands for one or more that a document does not show.
func rest(line string) bool { return strings.TrimSpace(line) == "..." }

// hostNumbers is where a command prints how long something took on this machine, or how fast that was. What is in parentheses is
// not compared, and stays in a document as it is.
var hostNumbers = []*regexp.Regexp{
	regexp.MustCompile(`, (\S+) times real time`),                 // run, replay
	regexp.MustCompile(` of virtual time in (\S+) s, `),           // run, replay
	regexp.MustCompile(` events in (\S+) s \((\S+)/s\)`),          // check
	regexp.MustCompile(`^found after (\S+): `),                    // check
	regexp.MustCompile(` in (\S+) s; solver: .* asked, (\S+) s$`), // symbolic
}

// masked is a line without what depends on the machine.
func masked(line string) string {
	for _, r := range hostNumbers {
		at := r.FindStringSubmatchIndex(line)
		for g := len(at) - 2; g >= 2; g -= 2 {
			line = line[:at[g]] + "#" + line[at[g+1]:]
		}
	}
	return line
}

// Lines is what a command has printed, as documents show it.
func Lines(printed string) []string {
	lines := strings.Split(printed, "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, " \t\r")
	}
	for len(lines) > 0 && lines[0] == "" {
		lines = lines[1:]
	}
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// Compare tells whether a command has printed what a document shows. If not, fresh is what the document should show: as much as
// now, and shortened where it is. Changes are the lines that differ, with - for those of the document.
func Compare(shown, printed []string) (same bool, fresh, changes []string) {
	t := newTable(shown, printed)
	i, j := 0, 0
	for i < len(shown) || j < len(printed) {
		switch s := t.steps[i][j]; s {
		case keep:
			fresh = append(fresh, shown[i])
			i, j = i+1, j+1
		case change:
			changes = append(changes, "- "+shown[i], "+ "+printed[j])
			fresh = append(fresh, printed[j])
			i, j = i+1, j+1
		case remove:
			changes = append(changes, "- "+shown[i])
			i++
		case insert:
			changes = append(changes, "+ "+printed[j])
			fresh = append(fresh, printed[j])
			j++
		case hide:
			j++
		case hideLast:
			fresh = append(fresh, shown[i])
			i, j = i+1, j+1
		}
	}
	return len(changes) == 0, fresh, changes
}

// A step says what becomes of a line that is shown, or of one that was printed.
type step byte

const (
	keep     step = iota
	change        // one line for another
	remove        // the line is printed no more
	insert        // the line is new
	hide          // the line is one of those that ... stands for
	hideLast      // and the last of them
)

// Costs of the steps. A change costs by how unlike the lines are, at most changeCost. A line that was there is worth more than one
// that is new, so that lines beside a ... stay.
const (
	removeCost = 120
	insertCost = 80
	changeCost = 220
)

// table has, for each rest of what is shown and each rest of what was printed, the cheapest way to make one of the other.
type table struct {
	steps [][]step
	costs [][]int
}

func newTable(shown, printed []string) *table {
	t := &table{make([][]step, len(shown)+1), make([][]int, len(shown)+1)}
	for i := len(shown); i >= 0; i-- {
		t.steps[i], t.costs[i] = make([]step, len(printed)+1), make([]int, len(printed)+1)
		for j := len(printed); j >= 0; j-- {
			if i == len(shown) && j == len(printed) {
				continue
			}
			best := -1
			try := func(s step, cost int) {
				if best < 0 || cost < best {
					best, t.steps[i][j], t.costs[i][j] = cost, s, cost
				}
			}
			if i < len(shown) && j < len(printed) {
				switch {
				case rest(shown[i]):
					try(hideLast, t.costs[i+1][j+1])
					try(hide, t.costs[i][j+1])
				case masked(shown[i]) == masked(printed[j]):
					try(keep, t.costs[i+1][j+1])
				default:
					try(change, unlike(shown[i], printed[j])+t.costs[i+1][j+1])
				}
			}
			if i < len(shown) {
				cost := removeCost
				if rest(shown[i]) {
					cost = 1
				}
				try(remove, cost+t.costs[i+1][j])
			}
			if j < len(printed) {
				try(insert, insertCost+t.costs[i][j+1])
			}
		}
	}
	return t
}

var digits = regexp.MustCompile(`[0-9]+`)

// unlike is what a change costs: lines with the same words, whatever their numbers, are most alike.
func unlike(a, b string) int {
	words := func(s string) []string { return strings.Fields(digits.ReplaceAllString(s, "0")) }
	left, right := words(a), words(b)
	if len(left)+len(right) == 0 {
		return changeCost
	}
	count := map[string]int{}
	for _, w := range left {
		count[w]++
	}
	both := 0
	for _, w := range right {
		if count[w] > 0 {
			count[w]--
			both += 2
		}
	}
	return changeCost - (changeCost-1)*both/(len(left)+len(right))
}
