package cflow

import (
	"bytes"
	"fmt"
	"slices"
	"sort"
	"strconv"
)

// String is the place as compilers write it.
func (p Pos) String() string {
	if p.File == "" {
		return "line " + strconv.Itoa(p.Line)
	}
	return fmt.Sprintf("%s:%d", p.File, p.Line)
}

// A lineTable tells lines and files of offsets.
type lineTable struct {
	ends  []int // offsets of the ends of lines
	marks []lineMark
}

// A lineMark says what the line behind an offset is called.
type lineMark struct {
	at     int // the end of the marker's line
	line   int
	file   string
	system bool
}

func newLineTable(text []byte) *lineTable {
	t := &lineTable{}
	for at, c := range text {
		if c == '\n' {
			t.ends = append(t.ends, at)
		}
	}
	return t
}

// mark takes what a line marker says behind the number: a file, if it is another, and flags, of which 3 means a system header.
func (t *lineTable) mark(at, line int, rest []byte) {
	m := lineMark{at: at, line: line}
	if len(t.marks) > 0 {
		last := t.marks[len(t.marks)-1]
		m.file, m.system = last.file, last.system
	}
	if end := bytes.LastIndexByte(rest, '"'); end > 0 && rest[0] == '"' {
		if file, err := strconv.Unquote(string(rest[:end+1])); err == nil {
			m.file = file
		} else {
			m.file = string(rest[1:end])
		}
		m.system = slices.ContainsFunc(bytes.Fields(rest[end+1:]), func(f []byte) bool { return string(f) == "3" })
	}
	t.marks = append(t.marks, m)
}

// physical is the line of the text itself, from 0.
func (t *lineTable) physical(at int) int { return sort.SearchInts(t.ends, at) }

func (t *lineTable) last(at int) *lineMark {
	i := sort.Search(len(t.marks), func(i int) bool { return t.marks[i].at >= at })
	if i == 0 {
		return nil
	}
	return &t.marks[i-1]
}

func (t *lineTable) at(offset int) Pos {
	m := t.last(offset)
	if m == nil {
		return Pos{Line: t.physical(offset) + 1}
	}
	return Pos{m.file, m.line + t.physical(offset) - t.physical(m.at) - 1}
}

func (t *lineTable) system(offset int) bool {
	m := t.last(offset)
	return m != nil && m.system
}
