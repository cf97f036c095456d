package campaign

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"motehound/firmware/disk"
	"motehound/job"
)

// mostFile bounds a file of a campaign.
const mostFile = 256 << 20

// Gather adds the files that the requests read, and gives their contents by hash. Names are as seen from the folder in which this process runs; workers have
// the same files at the same places below a folder of theirs.
func (c *Campaign) Gather(h job.Host) (map[string][]byte, error) {
	here, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	var paths []string
	for i := range c.Strands {
		list, err := c.Strands[i].reads(here, h)
		if err != nil {
			return nil, err
		}
		paths = append(paths, list...)
	}
	slices.Sort(paths)
	root := here
	for _, p := range paths {
		for !below(root, p) {
			root = filepath.Dir(root)
		}
	}
	folder, err := filepath.Rel(root, here)
	if err != nil {
		return nil, err
	}
	if c.Folder = filepath.ToSlash(folder); c.Folder == "." {
		c.Folder = ""
	}
	blobs := make(map[string][]byte)
	for _, p := range slices.Compact(paths) {
		data, err := disk.Read(p, mostFile)
		if err != nil {
			return nil, err
		}
		name, err := filepath.Rel(root, p)
		if err != nil {
			return nil, err
		}
		f := File{Name: filepath.ToSlash(name), SHA256: digest(data), Size: int64(len(data))}
		c.Files = append(c.Files, f)
		blobs[f.SHA256] = data
	}
	return blobs, nil
}

// below tells whether a path is in a folder, or deeper.
func below(folder, path string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(rel)
}

// reads is the files that a strand reads, as absolute paths. Its request is changed to name them as seen from here.
func (s *Strand) reads(here string, h job.Host) (paths []string, err error) {
	var asked struct {
		job.World
		File    string   `json:"file"`
		Files   []string `json:"files"`
		Kernels []string `json:"kernels"`
		Corpus  string   `json:"corpus"`
	}
	asked.World = job.NewWorld()
	if err := json.Unmarshal(s.Request, &asked); err != nil {
		return nil, fmt.Errorf("the request of %s: %w", s.Job, err)
	}
	if len(asked.Kernels) > 0 || asked.Corpus != "" {
		return nil, fmt.Errorf("a campaign cannot send --kernel and --corpus to its workers")
	}
	subjects := asked.Files
	if asked.File != "" {
		subjects = append(subjects, asked.File)
	}
	if len(subjects) == 0 {
		return nil, fmt.Errorf("%s: which firmware file or scenario?", s.Job)
	}
	for _, name := range subjects {
		if filepath.IsAbs(name) {
			return nil, fmt.Errorf("%s: give the file's name as seen from this folder, as workers have other folders", name)
		}
		list, err := asked.Reads(name, s.Job == "symbolic", h)
		if err != nil {
			return nil, err
		}
		for _, file := range list {
			if filepath.IsAbs(file) {
				return nil, fmt.Errorf("%s reads %s: name it as seen from the scenario or from this folder, as workers have other folders", name, file)
			}
			paths = append(paths, filepath.Join(here, file))
		}
	}
	return paths, nil
}

// Lay puts the files of a campaign into a folder of its own below dir, and gives the folder from which its items are done. What has another hash is refused.
func (c *Campaign) Lay(dir string, blob func(hash string) ([]byte, error)) (string, error) {
	root := filepath.Join(dir, c.ID())
	for _, f := range c.Files {
		path := filepath.Join(root, filepath.FromSlash(f.Name))
		if data, err := disk.Read(path, mostFile); err == nil && digest(data) == f.SHA256 {
			continue
		}
		data, err := blob(f.SHA256)
		if err != nil {
			return "", fmt.Errorf("%s of campaign %s: %w", f.Name, c.ID(), err)
		}
		if got := digest(data); got != f.SHA256 {
			return "", fmt.Errorf("%s of campaign %s is refused: its hash is %s, not %s: start the campaign again", f.Name, c.ID(), got[:16], f.SHA256[:16])
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return "", err
		}
		if err := disk.Write(path, data, 0o644); err != nil {
			return "", err
		}
	}
	folder := filepath.Join(root, filepath.FromSlash(c.Folder))
	return folder, os.MkdirAll(folder, 0o755)
}
