package findings

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.etcd.io/bbolt"

	"motehound/firmware/disk"
)

// Folder is the store's folder in a project, unless the user names another.
const Folder = ".motehound"

// Version is the version of the store's file. It rises when an older Motehound would misread it or lose something of it; then migrations has a step more.
const Version = 2

const (
	fileName = "store.db"
	lockName = "lock"
	maxFile  = 1 << 30
)

// Store is an open store. No other process has it. It is for one goroutine.
type Store struct {
	folder    string
	lock      *os.File
	db        *bbolt.DB
	findings  map[string]*Finding
	catalogue catalogue
	hunts     []Hunt
	salvage   *Salvage
}

// ErrNone is that a folder has no store.
var ErrNone = errors.New("no findings: motehound hunt makes them, and --store names another folder")

// Open opens the store that a folder has.
func Open(folder string) (*Store, error) {
	if _, err := os.Stat(filepath.Join(folder, fileName)); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s has %w", folder, ErrNone)
	}
	return open(folder)
}

// Create opens the store of a folder, and makes both if they are not there.
func Create(folder string) (*Store, error) {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	return open(folder)
}

func open(folder string) (*Store, error) {
	lock, err := disk.OpenLocked(filepath.Join(folder, lockName))
	if err != nil {
		return nil, inUse(folder, err)
	}
	s := &Store{folder: folder, lock: lock, findings: map[string]*Finding{}}
	if err := s.read(); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// read reads the store's file, or makes it.
func (s *Store) read() error {
	if err := s.lock.Truncate(0); err != nil {
		return err
	}
	if _, err := s.lock.WriteAt([]byte(strconv.Itoa(os.Getpid())), 0); err != nil {
		return err
	}
	path := filepath.Join(s.folder, fileName)
	data, err := disk.Read(path, maxFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err = s.begin()
	case err == nil:
		err = s.load(data)
	}
	if err != nil {
		return err
	}
	if s.db, err = openBolt(path); err != nil {
		return err
	}
	return s.rekey()
}

// openBolt opens a file of bbolt. Without a list of free pages in it there is one thing less that can be damaged.
func openBolt(path string) (*bbolt.DB, error) {
	return bbolt.Open(path, 0o666, &bbolt.Options{NoFreelistSync: true, Timeout: time.Second})
}

// inUse says who has the store.
func inUse(folder string, err error) error {
	if !errors.Is(err, disk.ErrInUse) {
		return err
	}
	who := "another process"
	if pid, err := os.ReadFile(filepath.Join(folder, lockName)); err == nil && len(pid) > 0 && len(pid) < 16 {
		who = "process " + string(pid)
	}
	return fmt.Errorf("%s is in use by %s: wait until that ends, or name another folder with --store", folder, who)
}

// begin makes an empty store. What it has found is for the people who work on it, not for the project's history.
func (s *Store) begin() error {
	if err := disk.Write(filepath.Join(s.folder, ".gitignore"), []byte("*\n"), 0o666); err != nil {
		return err
	}
	return s.rewrite(nil)
}

// load reads the store's file, as far as that can be read.
func (s *Store) load(data []byte) error {
	records, damage := readPages(data)
	if damage != nil {
		records = salvage(data)
	}
	version, err := s.migrate(records)
	if err != nil {
		return err
	}
	if err := s.take(records); err != nil {
		return err
	}
	switch {
	case damage != nil:
		return s.repair(data, records, damage)
	case version < Version:
		return s.renew(data, version, records)
	}
	return nil
}

// take decodes records.
func (s *Store) take(records []*record) error {
	for _, r := range records {
		if err := s.takeOne(r); err != nil {
			return fmt.Errorf("%s: %s %s: %w", filepath.Join(s.folder, fileName), r.Bucket, r.ID, err)
		}
	}
	slices.SortFunc(s.hunts, func(a, b Hunt) int { return a.Number - b.Number })
	return nil
}

func (s *Store) takeOne(r *record) error {
	switch {
	case r.Bucket == bucketFindings:
		f := new(Finding)
		if err := json.Unmarshal(r.Data, f); err != nil {
			return err
		}
		s.findings[r.ID] = f
	case r.Bucket == bucketHunts:
		var h Hunt
		if err := json.Unmarshal(r.Data, &h); err != nil {
			return err
		}
		s.hunts = append(s.hunts, h)
	case r.ID == idCatalogue:
		return json.Unmarshal(r.Data, &s.catalogue)
	}
	return nil
}

// Close gives the store back.
func (s *Store) Close() error {
	var err error
	if s.db != nil {
		err = s.db.Close()
	}
	return errors.Join(err, s.lock.Close())
}

// Salvaged is what is known about damage that was found when the store was opened; nil if there was none.
func (s *Store) Salvaged() *Salvage { return s.salvage }

// change is a value that a change of the store writes; nil takes it out.
type change struct {
	bucket, id string
	value      any
}

// write makes changes in one transaction: all are on the disk when it returns, or none.
func (s *Store) write(list []change) error {
	next := s.catalogue
	next.Revision++
	next.Findings = slices.Clone(next.Findings)
	for _, c := range list {
		switch v := c.value.(type) {
		case *Finding:
			next.put(entry{ID: c.id, Revision: next.Revision, Title: v.Title})
		case *Hunt:
			next.Hunts = max(next.Hunts, v.Number)
		case nil:
			next.Findings = slices.DeleteFunc(next.Findings, func(e entry) bool { return e.ID == c.id })
		}
	}
	err := s.db.Update(func(tx *bbolt.Tx) error {
		for _, c := range append(list, change{bucketStore, idCatalogue, next}) {
			if err := put(tx, c, next.Revision); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("%s: %w", filepath.Join(s.folder, fileName), err)
	}
	s.catalogue = next
	for _, c := range list {
		switch v := c.value.(type) {
		case *Finding:
			s.findings[c.id] = v
		case *Hunt:
			s.hunts = append(slices.DeleteFunc(s.hunts, func(h Hunt) bool { return h.Number == v.Number }), *v)
		case nil:
			delete(s.findings, c.id)
		}
	}
	return nil
}

// put notes a finding.
func (c *catalogue) put(e entry) {
	i, there := slices.BinarySearchFunc(c.Findings, e.ID, func(e entry, id string) int { return cmp.Compare(e.ID, id) })
	if there {
		c.Findings[i] = e
		return
	}
	c.Findings = slices.Insert(c.Findings, i, e)
}

func put(tx *bbolt.Tx, c change, revision uint64) error {
	if b := tx.Bucket([]byte(c.bucket)); c.value == nil && b != nil {
		return b.Delete([]byte(c.id))
	}
	data, err := json.Marshal(c.value)
	if err != nil {
		return err
	}
	r := record{Bucket: c.bucket, ID: c.id, Revision: revision, Data: data}
	return r.put(tx)
}

func (r *record) put(tx *bbolt.Tx) error {
	frame, err := r.frame()
	if err != nil {
		return err
	}
	b, err := tx.CreateBucketIfNotExists([]byte(r.Bucket))
	if err != nil {
		return err
	}
	return b.Put([]byte(r.ID), frame)
}

// rewrite makes the store's file anew, of records. The old one stands until the new one is whole.
func (s *Store) rewrite(records []*record) error {
	path := filepath.Join(s.folder, "store.tmp")
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	db, err := openBolt(path)
	if err != nil {
		return err
	}
	err = db.Update(func(tx *bbolt.Tx) error {
		for _, c := range []change{{bucketStore, idVersion, Version}, {bucketStore, idCatalogue, s.catalogue}} {
			if err := put(tx, c, s.catalogue.Revision); err != nil {
				return err
			}
		}
		for _, r := range records {
			if r.Bucket == bucketStore {
				continue
			}
			if err := r.put(tx); err != nil {
				return err
			}
		}
		return nil
	})
	if err := errors.Join(err, db.Close()); err != nil {
		return err
	}
	defer os.Remove(path)
	return disk.Replace(filepath.Join(s.folder, fileName), 0o666, func(to io.Writer) error {
		data, err := disk.Read(path, maxFile)
		if err != nil {
			return err
		}
		_, err = to.Write(data)
		return err
	})
}

// All is every finding, best first.
func (s *Store) All() []Finding {
	var list []Finding
	for _, id := range slices.Sorted(maps.Keys(s.findings)) {
		list = append(list, *s.findings[id])
	}
	Sort(list)
	return list
}

// Find is the findings with a key, of which the first digits are enough. They are of several subjects, at most: a beginning that several keys have is
// refused.
func (s *Store) Find(key string) ([]Finding, error) {
	var list []Finding
	for _, f := range s.All() {
		if key != "" && strings.HasPrefix(f.Key, strings.ToLower(key)) {
			list = append(list, f)
		}
	}
	switch {
	case len(list) == 0:
		return nil, fmt.Errorf("%s has no finding %s: motehound findings list shows them", s.folder, key)
	case slices.ContainsFunc(list, func(f Finding) bool { return f.Key != list[0].Key }):
		return nil, fmt.Errorf("several findings begin with %s: give more digits", key)
	}
	return list, nil
}
