package report

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"motehound/job/document"
)

// Excerpt is some lines of a source file. Lines is empty, and Note says why, if it cannot be shown.
type Excerpt struct {
	File  string `json:"file"`
	Lines []Line `json:"lines"`
	Note  string `json:"note"`
	Marks []Mark `json:"marks"`
}

// Line is a line of source.
type Line struct {
	Number int    `json:"n"`
	Text   string `json:"text"`
}

// Mark says what happens at some lines.
type Mark struct {
	From int    `json:"from"`
	To   int    `json:"to"`
	Kind string `json:"kind"` // here, atomic or used
	Says string `json:"says"`
}

// marked is a place in a source file, and what to say of it.
type marked struct {
	file       string
	from, to   int
	kind, says string
}

// near is how many lines around a place are shown.
const near = 7

// sources finds source files by the firmware that they were compiled into.
type sources struct {
	read   func(path string) ([]byte, error)
	builds []document.Built
	found  map[[2]string]Source
}

// firmware are the files that may have a source of a mote's finding; all if it is the network's.
func (s *sources) firmware(mote int) (paths []string) {
	for _, b := range s.builds {
		if mote < 0 || slices.Contains(b.Motes, mote) {
			paths = append(paths, b.Firmware)
		}
	}
	if paths == nil && mote >= 0 { // a hunt makes networks of its own
		return s.firmware(-1)
	}
	return paths
}

func (s *sources) source(file string, mote int) (x Source) {
	for _, path := range s.firmware(mote) {
		key := [2]string{file, path}
		known, ok := s.found[key]
		if !ok {
			known = FindSource(file, path, s.read)
			s.found[key] = known
		}
		if x = known; len(x.Lines) > 0 {
			break
		}
	}
	return x
}

// excerpts are the lines around places, file by file, in the order of the places.
func (s *sources) excerpts(mote int, places []marked) []Excerpt {
	out := []Excerpt{}
	var files []string
	for _, p := range places {
		if p.file != "" && p.from > 0 && !slices.Contains(files, p.file) {
			files = append(files, p.file)
		}
	}
	room := maxLines
	for _, file := range files {
		src := s.source(file, mote)
		x := Excerpt{File: cut(file), Note: cut(src.Note), Lines: []Line{}, Marks: []Mark{}}
		want := map[int]bool{}
		for _, p := range places {
			if p.file != file || p.from <= 0 {
				continue
			}
			x.Marks = append(x.Marks, Mark{p.from, p.to, p.kind, p.says})
			for n := max(1, p.from-near); n <= min(p.to+near, len(src.Lines)) && len(want) < room; n++ {
				want[n] = true
			}
		}
		for n := range want {
			x.Lines = append(x.Lines, Line{n, cutTo(tidy(src.Lines[n-1]), maxLine)})
		}
		slices.SortFunc(x.Lines, func(a, b Line) int { return cmp.Compare(a.Number, b.Number) })
		room -= len(x.Lines)
		out = append(out, x)
	}
	return out
}

// tidy shows what would change the direction of writing: code that reads otherwise than it is compiled.
func tidy(line string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) || r < ' ' && r != '\t' {
			return unicode.ReplacementChar
		}
		return r
	}, line)
}
