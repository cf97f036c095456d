package findings

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"motehound/firmware/disk"
)

// Begin notes that a hunt begins, and gives it its number.
func (s *Store) Begin(h Hunt) (*Hunt, error) {
	h.Number = s.catalogue.Hunts + 1
	h.Ended = false
	return &h, s.write([]change{huntChange(&h)})
}

// Saw keeps a finding that was confirmed. What it names as its files must be there already. It is on the disk when Saw returns, with its state.
func (s *Store) Saw(h *Hunt, seen Finding) (*Finding, error) {
	seen.Subject = h.Subject
	seen.Key = seen.Cause().Key()
	for _, file := range []string{seen.Recipe, seen.Bundle, seen.Scenario} {
		if file == "" {
			continue
		}
		if _, err := os.Stat(s.Path(file)); err != nil {
			return nil, fmt.Errorf("finding %s: %w", seen.Key, err)
		}
	}
	next := Next(s.findings[seen.id()], h, Evidence{Seen: &seen})
	return next, s.write([]change{findingChange(next)})
}

// End notes how a hunt has ended, and which findings that it did not see are fixed by now. Gone are the keys of those whose own recipe was tried, and shows
// nothing any more.
func (s *Store) End(h *Hunt, gone []string) (*Outcome, error) {
	list := []change{huntChange(h)}
	for _, id := range slices.Sorted(maps.Keys(s.findings)) {
		f := s.findings[id]
		if f.Subject != h.Subject || f.Last.Hunt == h.Number {
			continue
		}
		if next := Next(f, h, Evidence{Gone: slices.Contains(gone, f.Key)}); next.State != f.State {
			list = append(list, findingChange(next))
		}
	}
	if err := s.write(list); err != nil {
		return nil, err
	}
	return OutcomeOf(h, s.All()), nil
}

func huntChange(h *Hunt) change { return change{bucketHunts, fmt.Sprintf("%08d", h.Number), h} }

func findingChange(f *Finding) change { return change{bucketFindings, f.id(), f} }

// id names a finding in the store. A cause may be in several firmware files.
func (f *Finding) id() string { return f.Key + " " + f.Subject }

// Outcome is what a hunt means for the findings of its subject.
type Outcome struct {
	Hunt      int       `json:"hunt"`
	New       []Finding `json:"new"`
	CameBack  []Finding `json:"came_back"`
	Still     []Finding `json:"still_there"` // seen before, and now
	Fixed     []Finding `json:"fixed"`       // by what is new in this firmware
	NotSeen   []Finding `json:"not_seen"`    // this time, which says nothing yet
	Dismissed []Finding `json:"dismissed"`   // seen, and known not to matter
}

// OutcomeOf sorts findings by what a hunt means for them.
func OutcomeOf(h *Hunt, all []Finding) *Outcome {
	o := &Outcome{Hunt: h.Number, New: []Finding{}, CameBack: []Finding{}, Still: []Finding{}, Fixed: []Finding{}, NotSeen: []Finding{}, Dismissed: []Finding{}}
	for _, f := range all {
		seen := f.Last.Hunt == h.Number
		switch {
		case f.Subject != h.Subject:
		case f.State == Dismissed && seen:
			o.Dismissed = append(o.Dismissed, f)
		case f.State == CameBack && seen:
			o.CameBack = append(o.CameBack, f)
		case seen && f.First.Hunt == h.Number:
			o.New = append(o.New, f)
		case seen:
			o.Still = append(o.Still, f)
		case f.Gone != nil && f.Gone.Hunt == h.Number:
			o.Fixed = append(o.Fixed, f)
		case f.State.Open():
			o.NotSeen = append(o.NotSeen, f)
		}
	}
	return o
}

// Dismiss notes why a cause does not matter, wherever it is.
func (s *Store) Dismiss(key, reason string) ([]Finding, error) {
	return s.judge(key, func(f *Finding) (*Finding, error) { return f.Dismiss(reason) })
}

// Reopen takes dismissals back.
func (s *Store) Reopen(key string) ([]Finding, error) { return s.judge(key, (*Finding).Reopen) }

func (s *Store) judge(key string, of func(*Finding) (*Finding, error)) ([]Finding, error) {
	list, err := s.Find(key)
	if err != nil {
		return nil, err
	}
	var changes []change
	for i := range list {
		next, err := of(&list[i])
		if err != nil {
			return nil, err
		}
		list[i] = *next
		changes = append(changes, findingChange(next))
	}
	return list, s.write(changes)
}

// Keep writes a file of a finding, and gives its name for the finding. The finding needs a Subject and all of its Cause.
func (s *Store) Keep(f *Finding, name string, data []byte) (string, error) {
	sum := sha256.Sum256([]byte(f.Subject))
	file := "findings/" + f.Cause().Key() + "-" + hex.EncodeToString(sum[:4]) + "/" + name
	path := s.Path(file)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return "", err
	}
	return file, disk.Write(path, data, 0o666)
}

// Path is where a file of the store is.
func (s *Store) Path(file string) string { return filepath.Join(s.folder, filepath.FromSlash(file)) }

// Subject is what the store calls a firmware or scenario file: its path from the project's folder, which is the one that the store's folder is in.
func (s *Store) Subject(file string) string {
	from, err1 := filepath.Abs(filepath.Dir(filepath.Clean(s.folder)))
	to, err2 := filepath.Abs(file)
	if err1 != nil || err2 != nil || strings.Contains(file, ":") && !filepath.IsAbs(file) {
		return file // example:...
	}
	rel, err := filepath.Rel(from, to)
	if err != nil {
		return filepath.ToSlash(to)
	}
	return filepath.ToSlash(rel)
}

// Sort puts the worst and surest finding first.
func Sort(list []Finding) {
	slices.SortStableFunc(list, func(a, b Finding) int {
		return cmp.Or(
			rank(a.Grade, Violation, Race, Difference, Symptom)-rank(b.Grade, Violation, Race, Difference, Symptom),
			rank(a.Severity, High, Medium, Low)-rank(b.Severity, High, Medium, Low),
			rank(a.Confidence, Certain, Likely, Possible)-rank(b.Confidence, Certain, Likely, Possible),
			cmp.Compare(a.Subject, b.Subject), cmp.Compare(a.Key, b.Key))
	})
}

// rank is the place of a word in its order; unknown ones come last.
func rank[T comparable](x T, order ...T) int {
	if i := slices.Index(order, x); i >= 0 {
		return i
	}
	return len(order)
}
