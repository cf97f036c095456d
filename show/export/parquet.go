package export

import (
	"bufio"
	"io"

	"github.com/parquet-go/parquet-go"

	"motehound/study/mining"
)

// rowGroup is how many intervals make a row group: what the writer holds in memory at once.
const rowGroup = 8192

// WriteParquet writes what WriteCSV does, as a Parquet file: the same rows, and the same columns by name. Parquet files have their
// columns in order of name. The same intervals give the same bytes.
func (c *Counters) WriteParquet(to io.Writer) error {
	blocks, index := c.blockColumns()
	p := newParquetRows(c.textColumns(), blocks)
	out := bufio.NewWriter(to)
	w := parquet.NewGenericWriter[any](out, p.schema, parquet.Compression(&parquet.Snappy), parquet.MaxRowsPerRowGroup(rowGroup),
		parquet.CreatedBy("motehound", "1", "none"))
	for k, collection := range c.Collections {
		for iv := range collection.All() {
			p.fill(iv, c.numbers(iv), c.texts(collection, iv), index[k])
			if _, err := w.WriteRows([]parquet.Row{p.row}); err != nil {
				return err
			}
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	return out.Flush()
}

// parquetRows makes rows, one after the other.
type parquetRows struct {
	schema                 *parquet.Schema
	numbers, texts, blocks []int // columns
	row                    parquet.Row
}

func newParquetRows(texts, blocks []string) *parquetRows {
	group := parquet.Group{}
	add := func(names []string, of parquet.Node) {
		for _, name := range names {
			group[name] = of
		}
	}
	add(numbers, parquet.Uint(64))
	add(texts, parquet.String())
	add(blocks, parquet.Uint(32))
	p := &parquetRows{schema: parquet.NewSchema("intervals", group)}
	at := func(names []string) (columns []int) {
		for _, name := range names {
			leaf, ok := p.schema.Lookup(name)
			if !ok {
				panic("BUG: a column that is not in its own schema: " + name)
			}
			columns = append(columns, leaf.ColumnIndex)
		}
		return columns
	}
	p.numbers, p.texts, p.blocks = at(numbers), at(texts), at(blocks)
	p.row = make(parquet.Row, len(group))
	return p
}

// fill makes the row of an interval. Index is where the counters of its blocks are.
func (p *parquetRows) fill(iv *mining.Interval, numbers []uint64, texts []string, index []int) {
	for n, v := range numbers {
		p.row[p.numbers[n]] = parquet.Int64Value(int64(v)).Level(0, 0, p.numbers[n])
	}
	for n, v := range texts {
		p.row[p.texts[n]] = parquet.ByteArrayValue([]byte(v)).Level(0, 0, p.texts[n])
	}
	for _, column := range p.blocks {
		p.row[column] = parquet.Int32Value(0).Level(0, 0, column)
	}
	for _, n := range iv.Counts {
		column := p.blocks[index[n.Feature]]
		p.row[column] = parquet.Int32Value(int32(n.N)).Level(0, 0, column)
	}
}
