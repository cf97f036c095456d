// Package phrase has the words of messages: numbers, times and choices as people read them.
package phrase

import (
	"fmt"
	"slices"
	"strings"
)

// DidYouMean is a hint at the words that are most like what was written; empty if none is like it.
func DidYouMean(given string, words []string) string {
	given = strings.ToLower(given)
	best := max(1, min(3, len([]rune(given))/3))
	var like []string
	for _, w := range words {
		d := distance(given, strings.ToLower(w))
		if len(given) >= 3 && strings.HasPrefix(strings.ToLower(w), given) {
			d = min(d, 1)
		}
		switch {
		case d < best:
			best, like = d, []string{w}
		case d == best && !slices.Contains(like, w):
			like = append(like, w)
		}
	}
	const most = 4
	if len(like) == 0 || len(like) > most {
		return ""
	}
	return "; did you mean " + OneOf(like) + "?"
}

// OneOf is words to choose from.
func OneOf(list []string) string {
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:len(list)-1], ", ") + " or " + list[len(list)-1]
}

// distance is how many letters are to be put in, left out, replaced, or exchanged with the next one, to make one word of another.
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	rows := make([][]int, len(x)+1)
	for i := range rows {
		rows[i] = make([]int, len(y)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(x); i++ {
		for j := 1; j <= len(y); j++ {
			differs := 1
			if x[i-1] == y[j-1] {
				differs = 0
			}
			rows[i][j] = min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+differs)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(x)][len(y)]
}

// Seconds is a moment, exactly enough for one cycle of any chip.
func Seconds(ps uint64) string {
	ns := ps / 1000
	return fmt.Sprintf("%d.%09d s", ns/1_000_000_000, ns%1_000_000_000)
}

// Times is a speed as a multiple of real time.
func Times(ratio float64) string {
	switch {
	case ratio >= 10:
		return fmt.Sprintf("%s times real time", Grouped(uint64(ratio)))
	default:
		return fmt.Sprintf("%.2f times real time", ratio)
	}
}

// Grouped writes a number with its thousands apart.
func Grouped(n uint64) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Hertz is a frequency.
func Hertz(n uint64) string {
	return strings.TrimRight(strings.TrimRight(fmt.Sprintf("%.4f", float64(n)/1e6), "0"), ".") + " MHz"
}

// List is the names of some things, with commas.
func List[T any](all []T, name func(T) string) string { return strings.Join(NamesOf(all, name), ", ") }

// NamesOf is the names of some things.
func NamesOf[T any](all []T, name func(T) string) []string {
	var names []string
	for _, x := range all {
		names = append(names, name(x))
	}
	return names
}

// Counted is a number of things.
func Counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
