package findings

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"motehound/firmware/disk"
)

// Salvage is what became of a damaged store.
type Salvage struct {
	Damage   string   `json:"damage"` // what is wrong with the file
	Kept     string   `json:"kept"`   // the damaged file, under its new name
	Findings int      `json:"findings"`
	Hunts    int      `json:"hunts"` // that could be read
	Lost     []string `json:"lost"`
}

// String says it in one line.
func (s *Salvage) String() string {
	lost := "nothing is lost"
	if len(s.Lost) > 0 {
		lost = "lost: " + strings.Join(s.Lost, "; ")
	}
	return fmt.Sprintf("the store was damaged (%s): %d findings and %d hunts could be read, %s; the damaged file is kept as %s",
		s.Damage, s.Findings, s.Hunts, lost, s.Kept)
}

// salvage finds the records in a damaged file, wherever they stand. Pages that bbolt has given up still hold older records: the latest one of each
// that is whole counts.
func salvage(data []byte) []*record {
	type name struct{ bucket, id string }
	latest := map[name]int{}
	var list []*record
	for at := 0; ; {
		i := bytes.Index(data[at:], magic)
		if i < 0 {
			return list
		}
		at += i
		r, n, err := unframe(data[at:])
		if err != nil || !slices.Contains(buckets, r.Bucket) {
			at++
			continue
		}
		at += n
		key := name{r.Bucket, r.ID}
		switch old, there := latest[key]; {
		case !there:
			latest[key] = len(list)
			list = append(list, r)
		case r.Revision > list[old].Revision:
			list[old] = r
		}
	}
}

// repair makes a new file of what could be read, and keeps the damaged one beside it.
func (s *Store) repair(data []byte, records []*record, damage error) error {
	kept, err := s.keepDamaged(data)
	if err != nil {
		return err
	}
	s.salvage = &Salvage{Damage: damage.Error(), Kept: kept, Findings: len(s.findings), Hunts: len(s.hunts), Lost: lost(records, &s.catalogue)}
	old := s.catalogue
	s.catalogue = catalogue{Revision: old.Revision}
	for _, r := range records {
		s.catalogue.Revision = max(s.catalogue.Revision, r.Revision)
		if f := s.findings[r.ID]; r.Bucket == bucketFindings && f != nil {
			s.catalogue.put(entry{ID: r.ID, Revision: r.Revision, Title: f.Title})
		}
	}
	s.catalogue.Hunts = max(old.Hunts, s.latestHunt())
	return s.rewrite(records)
}

// latestHunt is the highest number of a hunt that something refers to. The next one must not be taken for it.
func (s *Store) latestHunt() (n int) {
	for _, h := range s.hunts {
		n = max(n, h.Number)
	}
	for _, f := range s.findings {
		n = max(n, f.Last.Hunt)
		if f.Gone != nil {
			n = max(n, f.Gone.Hunt)
		}
	}
	return n
}

// keepDamaged writes the damaged file's content under a name that is free.
func (s *Store) keepDamaged(data []byte) (string, error) {
	const most = 1000
	for n := 1; n <= most; n++ {
		path := filepath.Join(s.folder, fmt.Sprintf("%s.damaged-%d", fileName, n))
		if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
			return path, disk.Write(path, data, 0o666)
		}
	}
	return "", fmt.Errorf("%s is damaged, and so are %d others that are kept beside it: move those away", filepath.Join(s.folder, fileName), most)
}

// lost lists what the catalogue has and the records have not.
func lost(records []*record, c *catalogue) []string {
	var list []string
	found := map[string]uint64{}
	hunts, latest, listed := 0, uint64(0), false
	for _, r := range records {
		latest = max(latest, r.Revision)
		switch {
		case r.Bucket == bucketFindings:
			found[r.ID] = r.Revision
		case r.Bucket == bucketHunts:
			hunts++
		case r.ID == idCatalogue:
			listed = true
		}
	}
	for _, e := range c.Findings {
		key, _, _ := strings.Cut(e.ID, " ")
		switch revision, there := found[e.ID]; {
		case !there:
			list = append(list, fmt.Sprintf("finding %s (%s)", key, e.Title))
		case revision < e.Revision:
			list = append(list, fmt.Sprintf("the latest change of finding %s (%s)", key, e.Title))
		}
	}
	if n := c.Hunts - hunts; n > 0 {
		list = append(list, fmt.Sprintf("the records of %d hunts", n))
	}
	switch {
	case !listed:
		list = append(list, "the list of all findings, so there may have been others")
	case latest > c.Revision:
		list = append(list, "the latest list of all findings, so there may have been others")
	}
	return list
}
