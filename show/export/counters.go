package export

import (
	"bufio"
	"encoding/csv"
	"fmt"
	"io"
	"strconv"

	"motehound/study/harvest"
)

// intervalColumns are the columns that every interval has: which it is, when it was, and how many tasks it posted.
var intervalColumns = []string{"run", "mote", "vector", "instance", "start_cycle", "end_cycle", "tasks"}

// intervalValues are the values of intervalColumns.
func intervalValues(iv *harvest.Interval) []uint64 {
	return []uint64{uint64(iv.Run), uint64(iv.ID), uint64(iv.Vector), uint64(iv.Instance), iv.Start, iv.End, uint64(iv.Posts)}
}

// blockColumns names a column for each basic block that any interval entered, by the block's byte address and its function.
// Index is where a block's column is, -1 if it has none.
func blockColumns(c *harvest.Crop) (names []string, index []int) {
	index = make([]int, len(c.Field.Blocks))
	for i := range c.Intervals {
		for _, n := range c.Intervals[i].Counts {
			index[n.Feature] = 1
		}
	}
	for b, ran := range index {
		index[b] = -1
		if ran != 0 {
			pc := c.Field.Blocks[b].Start * 2
			index[b] = len(names)
			names = append(names, fmt.Sprintf("%#05x %s", pc, c.Field.PlaceOf(pc).Function))
		}
	}
	return names, index
}

// WriteCounters writes event-handling intervals as CSV, for people who want their own tools: a row for each, with its run,
// mote (node id), vector, instance and cycles, and a column for each basic block that any of them entered, named by the block's
// byte address and its function.
func WriteCounters(to io.Writer, c *harvest.Crop) error {
	blocks, index := blockColumns(c)
	out := bufio.NewWriter(to)
	w := csv.NewWriter(out)
	row := append(append([]string(nil), intervalColumns...), blocks...)
	if err := w.Write(row); err != nil {
		return err
	}
	counts := row[len(intervalColumns):]
	for i := range c.Intervals {
		iv := &c.Intervals[i]
		for n, v := range intervalValues(iv) {
			row[n] = strconv.FormatUint(v, 10)
		}
		for n := range counts {
			counts[n] = "0"
		}
		for _, n := range iv.Counts {
			counts[index[n.Feature]] = strconv.FormatUint(uint64(n.N), 10)
		}
		if err := w.Write(row); err != nil {
			return err
		}
	}
	w.Flush()
	if err := w.Error(); err != nil {
		return err
	}
	return out.Flush()
}
