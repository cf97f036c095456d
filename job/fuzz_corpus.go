package job

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"motehound/firmware/disk"
	"motehound/study/guide/input"
)

// A corpus is a folder with one input in a file. The file's name says where the input comes in: "serial-..." or "air-..."; others are tried
// on serial lines and on the air.

// mostCorpus bounds a corpus.
const mostCorpus = 10_000

// readCorpus reads a folder of inputs; none if it has no name.
func readCorpus(dir string) ([]input.Seed, error) {
	if dir == "" {
		return nil, nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("--corpus: %w", err)
	}
	var seeds []input.Seed
	for _, e := range entries {
		if e.IsDir() || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		if len(seeds) >= mostCorpus {
			return nil, fmt.Errorf("--corpus %s: at most %d inputs", dir, mostCorpus)
		}
		data, err := disk.Read(filepath.Join(dir, e.Name()), 1<<20)
		if err != nil {
			return nil, fmt.Errorf("--corpus: %w", err)
		}
		data = data[:min(len(data), input.Longest)]
		kind, _, _ := strings.Cut(e.Name(), "-")
		if k, ok := input.ParseKind(kind); ok {
			seeds = append(seeds, input.Seed{Kind: k, Data: data})
			continue
		}
		seeds = append(seeds, input.Seed{Kind: input.Serial, Data: data}, input.Seed{Kind: input.Air, Data: data})
	}
	return seeds, nil
}
