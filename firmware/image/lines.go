package image

import (
	"cmp"
	"debug/dwarf"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"sort"
	"strings"
)

// Line is a place in the source.
type Line struct {
	File   string // as the compiler recorded it, joined with its directory
	Line   int
	Column int  // 0 when not recorded
	Stmt   bool // a good place for a breakpoint
}

// String is file:line, or file:line:column.
func (l Line) String() string {
	if l.Column > 0 {
		return fmt.Sprintf("%s:%d:%d", l.File, l.Line, l.Column)
	}
	return fmt.Sprintf("%s:%d", l.File, l.Line)
}

// lineRow says where the code in its range came from. Rows are sorted and disjoint;
// rows that the next one replaces at the same address are kept, empty, for AddrsOf.
type lineRow struct {
	Range
	file   int
	line   int
	column int
	stmt   bool
}

// LineAt gives the source line of the instruction at a flash byte address.
func (im *Image) LineAt(addr uint32) (Line, bool) {
	d := im.dwarf()
	i := sort.Search(len(d.lines), func(i int) bool { return d.lines[i].Hi > addr })
	if i == len(d.lines) || !d.lines[i].Contains(addr) || d.lines[i].line == 0 {
		return Line{}, false
	}
	row := d.lines[i]
	return Line{d.lineFiles[row.file], row.line, row.column, row.stmt}, true
}

// AddrsOf gives the flash addresses at which a source line starts, in order. A file
// can be named by the end of its path ("BlinkC.nc", "sched/queue.c").
func (im *Image) AddrsOf(file string, line int) []uint32 {
	d := im.dwarf()
	named := make([]bool, len(d.lineFiles))
	for i, f := range d.lineFiles {
		named[i] = sameFile(f, file)
	}
	var addrs []uint32
	for _, row := range d.lines {
		if row.stmt && row.line == line && named[row.file] {
			addrs = append(addrs, row.Lo)
		}
	}
	return slices.Compact(addrs)
}

// Files lists the source files that code came from, sorted.
func (im *Image) Files() []string {
	d := im.dwarf()
	used := make(map[string]bool)
	for _, row := range d.lines {
		used[d.lineFiles[row.file]] = true
	}
	return slices.Sorted(maps.Keys(used))
}

func sameFile(full, given string) bool {
	given = path.Clean(strings.ReplaceAll(given, `\`, "/"))
	full = path.Clean(full)
	return full == given || strings.HasSuffix(full, "/"+strings.TrimPrefix(given, "./"))
}

// readLines adds the rows of one unit's line table.
func (b *builder) readLines(cu *dwarf.Entry) error {
	lr, err := b.d.LineReader(cu)
	if err != nil {
		return fmt.Errorf("line table of %s: %w", b.unitName, err)
	}
	if lr == nil {
		return nil
	}
	files := make(map[string]int)
	var seq []lineRow
	var entry dwarf.LineEntry
	for {
		err := lr.Next(&entry)
		if err == io.EOF {
			break
		}
		if err != nil {
			return fmt.Errorf("line table of %s: %w", b.unitName, err)
		}
		if err := b.spend(1); err != nil {
			return err
		}
		seq = b.lineEntry(seq, files, &entry)
	}
	b.files = lr.Files()
	return nil
}

// lineEntry adds one row to its sequence, and the sequence to the table at its end.
func (b *builder) lineEntry(seq []lineRow, files map[string]int, e *dwarf.LineEntry) []lineRow {
	addr := uint32(min(e.Address, maxFlash))
	if n := len(seq); n > 0 && seq[n-1].Lo <= addr {
		seq[n-1].Hi = addr
	} else if n > 0 {
		seq[n-1].Hi = seq[n-1].Lo // rows must ascend; this one is damaged
	}
	if e.EndSequence {
		if len(seq) > 0 && (seq[0].Lo != 0 || b.codeAtZero()) {
			b.info.lines = append(b.info.lines, seq...)
		}
		return seq[:0]
	}
	name := "?"
	if e.File != nil {
		name = e.File.Name
	}
	id, ok := files[name]
	if !ok {
		id = len(b.info.lineFiles)
		files[name] = id
		b.info.lineFiles = append(b.info.lineFiles, name)
	}
	return append(seq, lineRow{Range{addr, addr}, id, e.Line, e.Column, e.IsStmt})
}

// codeAtZero reports whether lines at address 0 can be real. Behind avr-libc's
// vector table, which has no line table, they belong to a dropped section.
func (b *builder) codeAtZero() bool {
	s, ok := b.im.Symbol("__vectors")
	return !ok || s.Space != Flash || s.Addr != 0
}

// sortLines orders the rows and makes them disjoint: where sequences overlap, which
// no healthy file has, the later start wins.
func (d *debugInfo) sortLines() {
	slices.SortStableFunc(d.lines, func(a, b lineRow) int { return cmp.Compare(a.Lo, b.Lo) })
	for i := 0; i+1 < len(d.lines); i++ {
		if d.lines[i].Hi > d.lines[i+1].Lo {
			d.lines[i].Hi = d.lines[i+1].Lo
		}
	}
}
