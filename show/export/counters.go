package export

import (
	"bufio"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"

	"motehound/job"
	"motehound/study/mining"
)

// Counters are the intervals of one or several firmwares, with what was counted in them: for people who want their own tools. An
// interval is a row. Its columns are its run, mote (node id), vector, instance, cycles and posts, the seed of its run and the firmware,
// a column "sweep.NAME" for each value that runs were made with, and one for each basic block that any of the intervals entered,
// named by the block's byte address and its function; behind the firmware's name, if there are several.
type Counters struct {
	Runs        []Run // by Interval.Run
	Collections []Collection
}

// Collection is the intervals of a firmware.
type Collection struct {
	Firmware string // its name, unlike those of the others
	*mining.Collection
}

// Run is a run that intervals come from.
type Run struct {
	Seed   uint64
	Values [][2]string // name and value, in the same order in all runs
}

// CountersOf is the intervals that mine gathered.
func CountersOf(m *job.Mined) *Counters {
	var c Counters
	for _, r := range m.Runs {
		run := Run{Seed: r.Seed}
		for _, v := range r.Values {
			run.Values = append(run.Values, [2]string{v.Name, v.Value})
		}
		c.Runs = append(c.Runs, run)
	}
	for _, b := range m.Builds {
		c.Collections = append(c.Collections, Collection{Firmware: b.Name, Collection: &b.Collection})
	}
	return &c
}

// numbers are the first columns, which every interval has.
var numbers = []string{"run", "mote", "vector", "instance", "start_cycle", "end_cycle", "tasks", "seed"}

func (c *Counters) numbers(iv *mining.Interval) []uint64 {
	return []uint64{uint64(iv.Run), uint64(iv.ID), uint64(iv.Vector), uint64(iv.Instance), iv.Start, iv.End, uint64(iv.Posts), c.Runs[iv.Run].Seed}
}

// textColumns are the columns behind those.
func (c *Counters) textColumns() []string {
	names := []string{"firmware"}
	if len(c.Runs) > 0 {
		for _, v := range c.Runs[0].Values {
			names = append(names, "sweep."+v[0])
		}
	}
	return names
}

func (c *Counters) texts(of Collection, iv *mining.Interval) []string {
	texts := []string{of.Firmware}
	for _, v := range c.Runs[iv.Run].Values {
		texts = append(texts, v[1])
	}
	return texts
}

// blockColumns names a column for each basic block that any interval entered. Index is where a block's column is, by collection and block;
// -1 if it has none.
func (c *Counters) blockColumns() (names []string, index [][]int) {
	for _, collection := range c.Collections {
		at := make([]int, len(collection.Collection.Firmware.Blocks))
		for iv := range collection.All() {
			for _, n := range iv.Counts {
				at[n.Feature] = 1
			}
		}
		prefix := ""
		if len(c.Collections) > 1 {
			prefix = collection.Firmware + " "
		}
		for b, ran := range at {
			at[b] = -1
			if ran != 0 {
				pc := collection.Collection.Firmware.Blocks[b].Start * 2
				at[b] = len(names)
				names = append(names, fmt.Sprintf("%s%#05x %s", prefix, pc, collection.Collection.Firmware.PlaceOf(pc).Function))
			}
		}
		index = append(index, at)
	}
	return names, index
}

// WriteCSV writes them as CSV.
func (c *Counters) WriteCSV(to io.Writer) error {
	blocks, index := c.blockColumns()
	out := bufio.NewWriter(to)
	w := csv.NewWriter(out)
	row := slices.Concat(numbers, c.textColumns(), blocks)
	if err := w.Write(row); err != nil {
		return err
	}
	counts := row[len(row)-len(blocks):]
	for k, collection := range c.Collections {
		for iv := range collection.All() {
			for n, v := range c.numbers(iv) {
				row[n] = strconv.FormatUint(v, 10)
			}
			copy(row[len(numbers):], c.texts(collection, iv))
			for n := range counts {
				counts[n] = "0"
			}
			for _, n := range iv.Counts {
				counts[index[k][n.Feature]] = strconv.FormatUint(uint64(n.N), 10)
			}
			if err := w.Write(row); err != nil {
				return err
			}
		}
	}
	w.Flush()
	if err := w.Error(); err != nil {
		return err
	}
	return out.Flush()
}
