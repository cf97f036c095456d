package export

import (
	"bytes"
	"encoding/csv"
	"strconv"
	"strings"
	"testing"

	"motehound/internal/cases"
)

// Every interval is a row, and its counts are in the columns of their blocks.
func TestWriteCounters(t *testing.T) {
	r, err := cases.All[1].Gather()
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := WriteCounters(&b, &r.Crop); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&b).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != len(r.Intervals)+1 || strings.Join(rows[0][:4], ",") != "run,mote,vector,instance" {
		t.Fatalf("%d rows for %d intervals; header %v", len(rows), len(r.Intervals), rows[0][:7])
	}
	for i, row := range rows[1:] {
		sum, want := 0, 0
		for _, n := range row[7:] {
			v, _ := strconv.Atoi(n)
			sum += v
		}
		for _, c := range r.Intervals[i].Counts {
			want += int(c.N)
		}
		if sum != want || row[3] != strconv.Itoa(int(r.Intervals[i].Instance)) {
			t.Errorf("row %d: counts add up to %d, want %d", i, sum, want)
		}
	}
}
