package chart

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files again")

func motes(n int) []string {
	var names []string
	for i := range n {
		names = append(names, fmt.Sprintf("mote %d", i+1))
	}
	return names
}

// row makes a row that comes from no other mote.
func row(mote int, class, title string, notes ...string) Row {
	return Row{Mote: mote, Class: class, Title: title, From: -1, Notes: notes}
}

func frame(from, to int, title string, notes ...string) Row {
	return Row{Mote: to, Class: classFrame, Title: title, From: from, Notes: notes}
}

func lost(r Row) Row {
	r.Lost = true
	r.Title += ", which is lost"
	return r
}

func marked(r Row, mark string) Row {
	r.Mark = mark
	return r
}

func changed(r Row, list ...string) Row {
	r.Changed = list
	return r
}

func number(rows []Row) []Row {
	for i := range rows {
		rows[i].Number = i + 1
	}
	return rows
}

// orphan is the trace of a child that never finds another parent.
func orphan() *Chart {
	timer := row(1, classInterrupt, "interrupt TIMER0_COMP", "posts VirtualizeTimerC__0__updateFromTimer")
	return &Chart{Columns: motes(2), Rows: number([]Row{
		timer,
		row(1, classTask, "next task", "runs VirtualizeTimerC__0__updateFromTimer", "posts CtpRoutingEngineP__0__sendBeaconTask",
			"sends a frame of 17 bytes"),
		changed(frame(1, 0, "frame from mote 2", "posts CC2420ReceiveP__receiveDone_task"), "LinkEstimatorP__neighbours: 0 -> 1"),
		lost(frame(0, 1, "frame from mote 1")),
		row(0, classInput, "serial byte"),
		row(0, classInput, "serial byte"),
		row(0, classInput, "serial byte"),
		frame(0, 1, "frame from mote 1"),
		marked(row(0, classFault, "power fails"), "critical transition"),
		timer, timer,
		{Mote: allMotes, Class: classHeal, Title: "faults stop and the network heals", From: -1},
		marked(changed(row(1, classTask, "next task", "runs CtpRoutingEngineP__0__updateRouteTask"),
			"CtpRoutingEngineP__0__routeInfo.parent: 0 -> 65535"), "violation: every mote has a path to the root"),
	})}
}

// eight is a flood through a line of eight motes, with an echo.
func eight() *Chart {
	var rows []Row
	rows = append(rows, row(0, classInterrupt, "interrupt TIMER1_COMPA", "sends a frame of 12 bytes"))
	for i := range 7 {
		rows = append(rows, frame(i, i+1, fmt.Sprintf("frame from mote %d", i+1), "posts receiveDone_task"),
			changed(row(i+1, classTask, "next task", "runs receiveDone_task"), fmt.Sprintf("DisseminatorP__0__seqno: %d -> %d", i, i+1)))
	}
	rows = append(rows, frame(7, 0, "frame from mote 8"), lost(frame(7, 6, "frame from mote 8")), row(3, classFault, "reboot"))
	return &Chart{Columns: motes(8), Rows: number(rows)}
}

// long is a walk of 500 events over three motes with two faults.
func long() *Chart {
	var rows []Row
	for i := range 500 {
		switch m := i * 7 % 3; {
		case i == 200:
			rows = append(rows, row(1, classFault, "reboot"))
		case i == 350:
			rows = append(rows, marked(row(2, classTask, "next task"), "the goal held here for the last time"))
		case i%5 == 0:
			rows = append(rows, frame(m, (m+1)%3, fmt.Sprintf("frame from mote %d", m+1)))
		case i%11 < 4:
			rows = append(rows, row(m, classTask, "next task", fmt.Sprintf("runs job%d", i%4)))
		default:
			rows = append(rows, row(0, classInterrupt, "interrupt TIMER0_COMP"))
		}
	}
	return &Chart{Columns: motes(3), Rows: number(rows)}
}

// lasso waits for ever for a lock.
func lasso() *Chart {
	c := &Chart{Columns: motes(2), Rows: number([]Row{
		row(0, classInput, "serial byte", "posts SerialP__RunTx"),
		changed(row(0, classTask, "next task", "runs SerialP__RunTx"), "receiveState.bufZeroLocked: 0 -> 1"),
		row(0, classInput, "serial byte"), row(0, classInput, "serial byte"), row(0, classInput, "serial byte"),
		row(1, classInterrupt, "interrupt TIMER0_COMP", "sends a frame of 9 bytes"),
		frame(1, 0, "frame from mote 2"),
	})}
	c.Cycle = 4
	return c
}

// names are words that are hard to align.
func names() *Chart {
	return &Chart{Columns: []string{"根 root", "mote 2", "wat\u200dch\x1b[31m"}, Rows: number([]Row{
		row(0, classTask, "センサーを読む", "温度を測定して結果を無線で送信するタスクを登録します。これはとても長い説明です。", "cafe\u0301"),
		changed(frame(2, 0, "frame\nfrom\tmote 3"), "温度センサーの測定値: 20 -> 21"),
		row(1, classInterrupt, "🙂🙂🙂🙂 interrupt"),
		row(2, classInput, ""),
	})}
}

// crowd is more motes than any terminal has room for, all of them busy.
func crowd() *Chart {
	var rows []Row
	for i := range 30 {
		rows = append(rows, frame(i, (i+1)%30, fmt.Sprintf("frame from mote %d", i+1)))
	}
	rows = append(rows, row(17, classFault, "reboot"), row(4, classTask, "next task"), lost(frame(21, 22, "frame from mote 22")))
	return &Chart{Columns: motes(30), Rows: number(rows)}
}

// idle is many motes of which few take part.
func idle() *Chart {
	return &Chart{Columns: motes(30), Rows: number([]Row{
		row(3, classInterrupt, "interrupt TIMER0_COMP"), frame(3, 19, "frame from mote 4"), lost(frame(19, 3, "frame from mote 20")),
	})}
}

func TestGolden(t *testing.T) {
	for _, c := range []struct {
		name  string
		chart *Chart
		opt   Options
	}{
		{"orphan", orphan(), Options{}},
		{"orphan-60", orphan(), Options{Width: 60}},
		{"orphan-ascii", orphan(), Options{Width: 100, ASCII: true}},
		{"eight", eight(), Options{}},
		{"eight-60", eight(), Options{Width: 60}},
		{"long", long(), Options{Head: 10, Tail: 10, Width: 100}},
		{"long-all", long(), Options{Width: 80}},
		{"lasso", lasso(), Options{}},
		{"lasso-cut", lasso(), Options{Head: 1, Tail: 1, Width: 70}},
		{"names", names(), Options{Width: 70}},
		{"names-ascii", names(), Options{Width: 70, ASCII: true}},
		{"crowd", crowd(), Options{Width: 80}},
		{"idle", idle(), Options{Width: 80}},
		{"empty", &Chart{Columns: motes(2)}, Options{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var b strings.Builder
			if err := c.chart.Write(&b, c.opt); err != nil {
				t.Fatal(err)
			}
			golden := filepath.Join("testdata", c.name+".txt")
			if *update {
				if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if b.String() != string(want) {
				t.Errorf("got:\n%s\nwant:\n%s", b.String(), want)
			}
		})
	}
}

// A long trace, of which the start and the end are shown, takes little more memory than its rows: texts that come again are not copied.
func TestLongTraceMemory(t *testing.T) {
	const rows, most = 50_000, 500 // bytes for each row
	c := Chart{Columns: []string{"mote 0", "mote 1"}}
	for i := range rows {
		c.Rows = append(c.Rows, Row{Number: i + 1, Mote: i % 2, Class: classTask, Title: fmt.Sprint("task ", i%7), From: -1, Notes: []string{"posts a task", "sends 12 bytes"}})
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if err := c.Write(io.Discard, Options{Head: 20, Tail: 40}); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if got := (after.TotalAlloc - before.TotalAlloc) / rows; got > most {
		t.Errorf("%d bytes for each row, want at most %d", got, most)
	}
}
