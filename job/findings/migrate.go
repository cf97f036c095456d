package findings

import (
	"encoding/json"
	"fmt"
	"path/filepath"

	"motehound/firmware/disk"
)

// migrations bring a record of version n+1 to the next version, n being the place in the list. A store is brought to the present version when it is
// opened, one step after the other, and the old file is kept. A step leaves alone what is in order already: a damaged file may have lost its version.
var migrations = []func(*record) error{unlooked}

// unlooked is the step to version 2, in which a symptom says what a second look at it gave.
func unlooked(r *record) error {
	if r.Bucket != bucketFindings {
		return nil
	}
	var f Finding
	if err := json.Unmarshal(r.Data, &f); err != nil {
		return err
	}
	if f.Grade != Symptom || f.Look != "" {
		return nil
	}
	f.Look = NotLooked
	var err error
	r.Data, err = json.Marshal(&f)
	return err
}

// migrate brings records to the present version, and gives the one that they had. A file that has lost its version may be of the oldest.
func (s *Store) migrate(records []*record) (version int, err error) {
	path := filepath.Join(s.folder, fileName)
	version = 1
	for _, r := range records {
		if r.Bucket == bucketStore && r.ID == idVersion {
			if err := json.Unmarshal(r.Data, &version); err != nil {
				return 0, err
			}
		}
	}
	switch {
	case version > Version:
		return 0, fmt.Errorf("%s was written by a newer Motehound (its version is %d, this one reads up to %d): update Motehound, or name another folder with --store",
			path, version, Version)
	case version < 1:
		return 0, fmt.Errorf("%s says that its version is %d: there is none below 1; name another folder with --store", path, version)
	}
	for _, step := range migrations[version-1:] {
		for _, r := range records {
			if err := step(r); err != nil {
				return 0, fmt.Errorf("%s: %s %s: %w", path, r.Bucket, r.ID, err)
			}
		}
	}
	return version, nil
}

// renew writes the migrated records, and keeps the old file.
func (s *Store) renew(old []byte, version int, records []*record) error {
	kept := filepath.Join(s.folder, fmt.Sprintf("%s.version-%d", fileName, version))
	if err := disk.Write(kept, old, 0o666); err != nil {
		return err
	}
	return s.rewrite(records)
}
