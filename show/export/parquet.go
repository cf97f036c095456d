package export

import (
	"bufio"
	"io"

	"github.com/parquet-go/parquet-go"

	"motehound/study/harvest"
)

// rowGroup is how many intervals make a row group: what the writer holds in memory at once.
const rowGroup = 8192

// WriteCountersParquet writes what WriteCounters does, as a Parquet file: the same rows, and the same columns by name. Parquet
// files have their columns in order of name. The same intervals give the same bytes.
func WriteCountersParquet(to io.Writer, c *harvest.Crop) error {
	blocks, index := blockColumns(c)
	group := parquet.Group{}
	for _, name := range intervalColumns {
		group[name] = parquet.Uint(64)
	}
	for _, name := range blocks {
		group[name] = parquet.Uint(32)
	}
	schema := parquet.NewSchema("intervals", group)
	at := func(name string) int {
		leaf, ok := schema.Lookup(name)
		if !ok {
			panic("BUG: a column that is not in its own schema: " + name)
		}
		return leaf.ColumnIndex
	}
	fixed, counts := make([]int, len(intervalColumns)), make([]int, len(blocks))
	for i, name := range intervalColumns {
		fixed[i] = at(name)
	}
	for i, name := range blocks {
		counts[i] = at(name)
	}
	out := bufio.NewWriter(to)
	w := parquet.NewGenericWriter[any](out, schema, parquet.Compression(&parquet.Snappy), parquet.MaxRowsPerRowGroup(rowGroup),
		parquet.CreatedBy("motehound", "1", "none"))
	row := make(parquet.Row, len(fixed)+len(counts))
	for i := range c.Intervals {
		iv := &c.Intervals[i]
		for n, v := range intervalValues(iv) {
			row[fixed[n]] = parquet.Int64Value(int64(v)).Level(0, 0, fixed[n])
		}
		for _, column := range counts {
			row[column] = parquet.Int32Value(0).Level(0, 0, column)
		}
		for _, n := range iv.Counts {
			column := counts[index[n.Feature]]
			row[column] = parquet.Int32Value(int32(n.N)).Level(0, 0, column)
		}
		if _, err := w.WriteRows([]parquet.Row{row}); err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	return out.Flush()
}
