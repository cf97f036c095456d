package hunt

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"motehound/firmware/image"
	"motehound/job"
	"motehound/job/document"
	covers "motehound/observe/coverage"
)

// coverage is what was exercised, over all trials.
type coverage struct {
	lines     map[string]bool // by file and line
	functions map[string]bool // by name and place: reached
	inputs    uint64
	listens   map[string]bool
	gained    int // lines that the last slice reached first
}

// add adds what a slice has reached, and gives the number of lines that are new.
func (c *coverage) add(files []covers.File) int {
	if c.lines == nil {
		c.lines, c.functions, c.listens = map[string]bool{}, map[string]bool{}, map[string]bool{}
	}
	c.gained = 0
	for _, f := range files {
		for _, l := range f.Lines {
			if at := fmt.Sprintf("%s:%d", f.Path, l.Line); l.Hits > 0 && !c.lines[at] {
				c.lines[at] = true
				c.gained++
			}
		}
		for _, fn := range f.Functions {
			at := fmt.Sprintf("%s (%s:%d)", image.Readable(fn.Name), f.Path, fn.Line)
			c.functions[at] = c.functions[at] || fn.Hits > 0
		}
	}
	return c.gained
}

// document is the coverage for a report.
func (c *coverage) document(about *job.Surveyed) document.HuntCoverage {
	d := document.HuntCoverage{Functions: len(c.functions), Unreached: []string{}, Interrupts: []string{}, Missed: []string{}, Inputs: c.inputs,
		Listens: document.List(slices.Sorted(maps.Keys(c.listens))), Faults: about.Faults}
	for _, name := range slices.Sorted(maps.Keys(c.functions)) {
		handler := strings.HasPrefix(name, "__vector_")
		switch reached := c.functions[name]; {
		case reached && handler:
			d.Interrupts = append(d.Interrupts, name)
		case handler:
			d.Missed = append(d.Missed, name)
		}
		if c.functions[name] {
			d.Reached++
		} else {
			d.Unreached = append(d.Unreached, name)
		}
	}
	return d
}
