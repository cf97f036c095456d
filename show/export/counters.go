package export

import (
	"bufio"
	"encoding/csv"
	"fmt"
	"io"
	"strconv"

	"motehound/study/harvest"
)

// WriteCounters writes event-handling intervals as CSV, for people who want their own tools: a row for each, with its run,
// mote (index), vector, instance and cycles, and a column for each basic block that any of them entered, named by the block's
// byte address and its function.
func WriteCounters(to io.Writer, c *harvest.Crop) error {
	column := make([]int, len(c.Field.Blocks)) // plus one
	header := []string{"run", "mote", "vector", "instance", "start_cycle", "end_cycle", "tasks"}
	fixed := len(header)
	for b := range column {
		for i := range c.Intervals {
			if c.Intervals[i].Counts.At(uint32(b)) != 0 {
				pc := c.Field.Blocks[b].Start * 2
				header = append(header, fmt.Sprintf("%#05x %s", pc, c.Field.PlaceOf(pc).Function))
				column[b] = len(header)
				break
			}
		}
	}
	out := bufio.NewWriter(to)
	w := csv.NewWriter(out)
	if err := w.Write(header); err != nil {
		return err
	}
	row := make([]string, len(header))
	for i := range c.Intervals {
		iv := &c.Intervals[i]
		for n := range row[fixed:] {
			row[fixed+n] = "0"
		}
		row[0], row[1], row[2] = strconv.Itoa(iv.Run), strconv.Itoa(iv.Mote), strconv.Itoa(int(iv.Vector))
		row[3] = strconv.FormatUint(uint64(iv.Instance), 10)
		row[4], row[5] = strconv.FormatUint(iv.Start, 10), strconv.FormatUint(iv.End, 10)
		row[6] = strconv.Itoa(iv.Posts)
		for _, n := range iv.Counts {
			row[column[n.Feature]-1] = strconv.FormatUint(uint64(n.N), 10)
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
