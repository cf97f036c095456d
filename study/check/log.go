package check

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"sync"

	"motehound/study/finding"
)

// Log keeps findings, and how far an exploration got, in a file that only grows. A record is a line with a checksum of it and of
// those before it, written at once and brought to the disk before anyone hears of the finding in it. So whatever ends the process, what was reported is there;
// a line that was being written is dropped when the log is opened again.
type Log struct {
	mu      sync.Mutex
	file    *os.File
	size    int64  // of what is whole
	sum     uint32 // of the last line
	records []record
}

// record is one line. One of its fields is set.
type record struct {
	Identity string    `json:"identity,omitempty"`
	Finding  *Finding  `json:"finding,omitempty"`
	Final    bool      `json:"final,omitempty"` // the finding was analysed
	Refuted  *Finding  `json:"refuted,omitempty"`
	Item     *doneItem `json:"item,omitempty"`
	Searched *searched `json:"searched,omitempty"`
	Walked   *walked   `json:"walked,omitempty"`
}

// doneItem is a part of a search that is done.
type doneItem struct {
	Round round `json:"round"`
	Depth int   `json:"depth"`
	Item  int   `json:"item"`
	Stats Stats `json:"stats"`
}

// searched is a search that is done.
type searched struct {
	Result SearchResult `json:"result"`
	Stats  Stats        `json:"stats"`
}

// walked is how many walks are done.
type walked struct {
	Walks  int     `json:"walks"`
	Events uint64  `json:"events"`
	Stats  Stats   `json:"stats"`
	Lesson *lesson `json:"lesson,omitempty"` // of the last of them
}

// OpenLog opens a log, or starts one if there is no such file.
func OpenLog(path string) (*Log, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, errors.Join(fmt.Errorf("%s is not a file that can be written and read again", path), err, file.Close())
	}
	l := &Log{file: file}
	if err := l.load(path); err != nil {
		file.Close()
		return nil, err
	}
	return l, nil
}

// load reads the records. A last line without an end was being written when the process ended: it is cut off.
func (l *Log) load(path string) error {
	data, err := io.ReadAll(l.file)
	if err != nil {
		return err
	}
	for {
		end := bytes.IndexByte(data[l.size:], '\n')
		if end < 0 {
			return l.cut()
		}
		r, err := l.decode(data[l.size : l.size+int64(end)])
		if err != nil {
			return fmt.Errorf("%s:%d is damaged (%v): give another folder, or remove the file to start again", path, len(l.records)+1, err)
		}
		l.records = append(l.records, r)
		l.size += int64(end) + 1
	}
}

// cut takes away what is not whole.
func (l *Log) cut() error {
	if err := l.file.Truncate(l.size); err != nil {
		return err
	}
	_, err := l.file.Seek(l.size, io.SeekStart)
	return err
}

func (l *Log) decode(line []byte) (record, error) {
	var r record
	sum, text, ok := bytes.Cut(line, []byte(" "))
	if next := l.checksum(text); !ok || string(sum) != fmt.Sprintf("%08x", next) {
		return r, errors.New("the checksum is wrong")
	} else {
		l.sum = next
	}
	if err := json.Unmarshal(text, &r); err != nil {
		return r, err
	}
	return r, r.check()
}

// check refuses numbers that no log has which we wrote.
func (r *record) check() error {
	for _, f := range []*Finding{r.Finding, r.Refuted} {
		if f == nil {
			continue
		}
		n := len(f.Trace)
		if f.Cycle < 0 || f.Cycle > n || f.Since < 0 || f.Since > n || f.Critical != nil && (f.Critical.After < 0 || f.Critical.After > n) {
			return errors.New("a finding does not fit its trace")
		}
	}
	if w := r.Walked; w != nil && w.Walks < 0 {
		return errors.New("the number of walks is negative")
	}
	if i := r.Item; i != nil && (i.Depth < 0 || i.Item < 0) {
		return errors.New("the part of the search is none")
	}
	return nil
}

// checksum is that of a text behind the records so far: one that is missing is noticed, too.
func (l *Log) checksum(text []byte) uint32 { return crc32.Update(l.sum, crc32.IEEETable, text) }

// write appends a record. It is on the disk when write returns, if that is asked for.
func (l *Log) write(r record, sync bool) error {
	if l == nil {
		return nil
	}
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	sum := l.checksum(text)
	line := fmt.Appendf(nil, "%08x %s\n", sum, text)
	if _, err := l.file.Write(line); err != nil {
		return fmt.Errorf("keeping what was found: %w", errors.Join(err, l.cut()))
	}
	l.sum, l.size = sum, l.size+int64(len(line))
	l.records = append(l.records, r)
	if !sync {
		return nil
	}
	return l.file.Sync()
}

// begin makes sure that the log is of the exploration with this identity.
func (l *Log) begin(identity string) error {
	if l == nil {
		return nil
	}
	if len(l.records) == 0 {
		return l.write(record{Identity: identity}, true)
	}
	if was := l.records[0].Identity; was != identity {
		return fmt.Errorf("the log belongs to another exploration (%s, not %s): give the same options, or another log", was, identity)
	}
	return nil
}

// Findings lists the findings that the log has, by cause.
func (l *Log) Findings() []*Finding {
	catalog, _ := l.findings()
	return catalog.list()
}

// findings gives what is known of each cause, and which causes were analysed.
func (l *Log) findings() (catalog, map[finding.Cause]bool) {
	known, final := catalog{}, make(map[finding.Cause]bool)
	if l == nil {
		return known, final
	}
	for _, r := range l.records {
		switch {
		case r.Refuted != nil:
			delete(known.byCause, r.Refuted.Cause())
			final[r.Refuted.Cause()] = true
		case r.Finding != nil && r.Final:
			known.add(r.Finding)
			known.byCause[r.Finding.Cause()] = r.Finding
			final[r.Finding.Cause()] = true
		case r.Finding != nil:
			known.add(r.Finding)
		}
	}
	return known, final
}

// progress is how far the exploration of the log got.
type progress struct {
	depth    int          // of the last round of the search
	items    map[int]bool // done in that round
	round    round
	searched *searched
	walked   *walked
	lessons  []*lesson // by walk
	stats    Stats
}

func (l *Log) progress() progress {
	p := progress{}
	if l == nil {
		return p
	}
	for _, r := range l.records {
		switch {
		case r.Item != nil:
			if r.Item.Depth != p.depth {
				p.depth, p.items = r.Item.Depth, make(map[int]bool)
			}
			p.items[r.Item.Item] = true
			p.round = r.Item.Round
			p.stats = r.Item.Stats
		case r.Searched != nil:
			p.searched, p.stats = r.Searched, r.Searched.Stats
		case r.Walked != nil:
			p.walked, p.stats = r.Walked, r.Walked.Stats
			if r.Walked.Walks == len(p.lessons)+1 {
				p.lessons = append(p.lessons, r.Walked.Lesson)
			}
		}
	}
	return p
}

// Close closes the file.
func (l *Log) Close() error { return l.file.Close() }

// reporter is told of each finding that is new or better than what was known, before anyone else is.
type reporter func(f *Finding, n news) error

// book books a finding and reports it.
func (r reporter) book(l *catalog, f *Finding) error {
	f, n := l.add(f)
	if r == nil || n == old {
		return nil
	}
	return r(f, n)
}
