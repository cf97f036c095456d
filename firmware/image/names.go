package image

import (
	"regexp"
	"slices"
	"strings"
)

var (
	cloneSuffix = regexp.MustCompile(`\.(isra|constprop|part|cold|lto_priv)\.?(\d*)$`)
	staticTail  = regexp.MustCompile(`\.\d+$`)
	allDigits   = regexp.MustCompile(`^\d+$`)
)

// Readable shows a name as its programmer knows it. nesC joins component, instance,
// interface and function by "__" (older ones by "$"): SerialP__0__Send__send becomes
// SerialP[0].Send.send. The copies that GCC makes of functions, as f.isra.3, become
// "f (isra 3)". Other names stay.
func Readable(name string) string {
	if !strings.ContainsAny(name, ".$_") {
		return name // as most
	}
	var notes []string
	base := name
	for m := cloneSuffix.FindStringSubmatch(base); m != nil; m = cloneSuffix.FindStringSubmatch(base) {
		base = strings.TrimSuffix(base, m[0])
		notes = append(notes, strings.TrimSpace(m[1]+" "+m[2]))
	}
	if tail := staticTail.FindString(base); tail != "" && nescParts(strings.TrimSuffix(base, tail)) != nil {
		base = strings.TrimSuffix(base, tail)
		notes = append(notes, "static "+tail[1:])
	}
	if parts := nescParts(base); parts != nil {
		base = joinNesc(parts)
	}
	if base == "" {
		return name
	}
	if len(notes) == 0 {
		return base
	}
	slices.Reverse(notes)
	return base + " (" + strings.Join(notes, ", ") + ")"
}

// nescParts splits a name made by nesC, or returns nil. Component names start with
// a capital letter by convention, which tells them from C's own double underscores.
func nescParts(name string) []string {
	separator := "__"
	if strings.Contains(name, "$") {
		separator = "$"
	}
	if name == "" || name[0] < 'A' || name[0] > 'Z' {
		return nil
	}
	parts := strings.Split(name, separator)
	if len(parts) < 2 {
		return nil
	}
	for _, p := range parts {
		if p == "" || p[0] == '_' || p[len(p)-1] == '_' {
			return nil
		}
	}
	return parts
}

func joinNesc(parts []string) string {
	var s strings.Builder
	for i, p := range parts {
		switch {
		case i > 0 && allDigits.MatchString(p):
			s.WriteString("[" + p + "]")
		case i > 0:
			s.WriteString("." + p)
		default:
			s.WriteString(p)
		}
	}
	return s.String()
}

// nearest picks up to three candidates that a user may have meant, all equally near:
// the same except for letter case, or for a prefix, or a few letters away.
func nearest(name string, candidates []string) []string {
	type scored struct {
		name  string
		score int
	}
	var close []scored
	lower := strings.ToLower(name)
	limit := min(len(name)/3, 4)
	for _, c := range candidates {
		l := strings.ToLower(c)
		score := 1 + editDistance(lower, l, limit)
		switch {
		case l == lower:
			score = 0
		case len(lower) >= 3 && (strings.HasSuffix(l, "__"+lower) || strings.HasSuffix(l, "."+lower)):
			score = 1
		case score > 1+limit:
			continue
		}
		close = append(close, scored{c, score})
	}
	slices.SortFunc(close, func(a, b scored) int {
		if a.score != b.score {
			return a.score - b.score
		}
		return strings.Compare(a.name, b.name)
	})
	var out []string
	for _, c := range close {
		if len(out) < 3 && c.score == close[0].score && !slices.Contains(out, c.name) {
			out = append(out, c.name)
		}
	}
	return out
}

// editDistance is Levenshtein's, given up (as limit+1) when it must exceed limit.
func editDistance(a, b string, limit int) int {
	if len(a)-len(b) > limit || len(b)-len(a) > limit {
		return limit + 1
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		best := row[0]
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, diagonal+1)
			best = min(best, row[j+1])
		}
		if best > limit {
			return limit + 1
		}
	}
	return row[len(b)]
}

// didYouMean ends an error message with what may have been meant.
func didYouMean(near []string) string {
	if len(near) == 0 {
		return ""
	}
	return "; did you mean " + strings.Join(near, " or ") + "?"
}
