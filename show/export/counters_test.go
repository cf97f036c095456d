package export

import (
	"bytes"
	"encoding/csv"
	"strconv"
	"strings"
	"testing"

	"motehound/internal/cases"
	"motehound/study/mining"
)

// countersOf is the counters of a case, as if its runs had been made with some values.
func countersOf(r *cases.Result) *Counters {
	c := &Counters{Collections: []Collection{{"a.elf", &r.Collection}}}
	for iv := range r.All() {
		for len(c.Runs) <= iv.Run {
			c.Runs = append(c.Runs, Run{Seed: 7, Values: [][2]string{{"x", "5"}, {"param.y", "some"}}})
		}
	}
	return c
}

// The columns of several firmwares' blocks begin with the firmware's name, and an interval has counts only in those of its own.
func TestWriteCountersOfSeveral(t *testing.T) {
	r, err := cases.All[1].Gather()
	if err != nil {
		t.Fatal(err)
	}
	of := &mining.Collection{Firmware: r.Firmware}
	for iv := range r.All() {
		iv.Run = 0
		of.Keep(iv)
		break
	}
	c := &Counters{Runs: []Run{{}}, Collections: []Collection{{"a.elf", of}, {"b.elf", of}}} // of one run, in which some motes had another firmware
	var b bytes.Buffer
	if err := c.WriteCSV(&b); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&b).ReadAll()
	if err != nil || len(rows) != 3 {
		t.Fatal(len(rows), err)
	}
	for at, name := range rows[0][9:] {
		own := 1
		if strings.HasPrefix(name, "b.elf 0x") {
			own = 2
		} else if !strings.HasPrefix(name, "a.elf 0x") {
			t.Fatalf("column %q", name)
		}
		if rows[own][9+at] == "0" || rows[3-own][9+at] != "0" {
			t.Errorf("column %q: %s and %s", name, rows[1][9+at], rows[2][9+at])
		}
	}
}

// Every interval is a row, and its counts are in the columns of their blocks.
func TestWriteCounters(t *testing.T) {
	r, err := cases.All[1].Gather()
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := countersOf(r).WriteCSV(&b); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&b).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != r.Len()+1 || strings.Join(rows[0][:11], ",") != "run,mote,vector,instance,start_cycle,end_cycle,tasks,seed,firmware,sweep.x,sweep.param.y" {
		t.Fatalf("%d rows for %d intervals; header %v", len(rows), r.Len(), rows[0][:11])
	}
	i := -1
	for iv := range r.All() {
		i++
		row := rows[1+i]
		if strings.Join(row[7:11], ",") != "7,a.elf,5,some" {
			t.Errorf("row %d: run with %v", i, row[7:11])
		}
		sum, want := 0, 0
		for _, n := range row[11:] {
			v, _ := strconv.Atoi(n)
			sum += v
		}
		for _, c := range iv.Counts {
			want += int(c.N)
		}
		if sum != want || row[3] != strconv.Itoa(int(iv.Instance)) {
			t.Errorf("row %d: counts add up to %d, want %d", i, sum, want)
		}
	}
}
