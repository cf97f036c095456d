package export

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"testing"

	"github.com/parquet-go/parquet-go"

	"motehound/internal/cases"
)

// The Parquet file has the columns and the values of the CSV file, and says what they are.
func TestWriteCountersParquet(t *testing.T) {
	r, err := cases.All[1].Gather()
	if err != nil {
		t.Fatal(err)
	}
	var text, file, again bytes.Buffer
	c := countersOf(r)
	if err := c.WriteCSV(&text); err != nil {
		t.Fatal(err)
	}
	for _, to := range []*bytes.Buffer{&file, &again} {
		if err := c.WriteParquet(to); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(file.Bytes(), again.Bytes()) {
		t.Error("the same intervals give other bytes")
	}
	rows, err := csv.NewReader(&text).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	f, err := parquet.OpenFile(bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		t.Fatal(err)
	}
	if got := f.Metadata().CreatedBy; got != "motehound version 1(build none)" {
		t.Errorf("created by %q", got)
	}
	columns := map[string][]string{}
	for i, path := range f.Schema().Columns() {
		columns[path[0]] = columnOf(t, f, i)
	}
	if len(columns) != len(rows[0]) {
		t.Fatalf("%d columns, the CSV file has %d", len(columns), len(rows[0]))
	}
	for at, name := range rows[0] {
		got := columns[name]
		if len(got) != len(rows)-1 {
			t.Fatalf("column %q has %d values for %d intervals", name, len(got), len(rows)-1)
		}
		for i, v := range got {
			if v != rows[i+1][at] {
				t.Fatalf("column %q of interval %d is %s, in the CSV file %s", name, i, v, rows[i+1][at])
			}
		}
	}
}

// columnOf reads a column through its pages: another way than it was written.
func columnOf(t *testing.T, f *parquet.File, column int) (values []string) {
	for _, group := range f.RowGroups() {
		pages := group.ColumnChunks()[column].Pages()
		defer pages.Close()
		for {
			page, err := pages.ReadPage()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			read := make([]parquet.Value, page.NumValues())
			if n, err := page.Values().ReadValues(read); n != len(read) || err != nil && err != io.EOF {
				t.Fatalf("%d of %d values: %v", n, len(read), err)
			}
			for _, v := range read {
				switch v.Kind() {
				case parquet.Int64:
					values = append(values, fmt.Sprint(v.Uint64()))
				case parquet.ByteArray:
					values = append(values, string(v.ByteArray()))
				default:
					values = append(values, fmt.Sprint(v.Uint32()))
				}
			}
		}
	}
	return values
}
