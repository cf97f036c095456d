package job

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"strings"

	"motehound/firmware/disk"
	"motehound/study/check"
	"motehound/study/guide/input"
	"motehound/world/recipe"
)

// A corpus is a folder of inputs. A file with a name that ends in ".json" has a list of inputs that come one after the other, as fuzz keeps them. Any other is one
// input: its name says where that comes in, "serial-..." or "air-..."; others are tried on serial lines and on the air.

// mostCorpus bounds a corpus.
const mostCorpus = 10_000

// listed is what a file of a corpus has.
type listed struct {
	Inputs []recipe.MadeInput `json:"inputs"`

	name string
	data []byte // of a file that is one input
	kind input.Kind
}

// seeds are the inputs one by one.
func (l *listed) seeds() (list []input.Seed) {
	for _, in := range l.made() {
		list = append(list, input.Seed{Kind: in.Kind, Data: in.Data})
	}
	return list
}

// made are the inputs as they come.
func (l *listed) made() (list []check.MadeInput) {
	if l.data != nil {
		return []check.MadeInput{{Mote: -1, Kind: l.kind, Data: l.data}}
	}
	for _, x := range l.Inputs {
		in, err := madeInput(x)
		if err != nil {
			panic("BUG: a corpus that was read has no inputs: " + err.Error())
		}
		list = append(list, in)
	}
	return list
}

// readCorpus reads a folder of inputs; none if it has no name.
func readCorpus(dir string) ([]*listed, error) {
	if dir == "" {
		return nil, nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("--corpus: %w", err)
	}
	var all []*listed
	for _, e := range entries {
		if e.IsDir() || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		if len(all) >= mostCorpus {
			return nil, fmt.Errorf("--corpus %s: at most %d inputs", dir, mostCorpus)
		}
		data, err := disk.Read(filepath.Join(dir, e.Name()), 1<<20)
		if err != nil {
			return nil, fmt.Errorf("--corpus: %w", err)
		}
		if strings.HasSuffix(e.Name(), ".json") {
			l := &listed{name: e.Name()}
			if err := l.read(data); err != nil {
				return nil, fmt.Errorf("--corpus: %s: %w", filepath.Join(dir, e.Name()), err)
			}
			all = append(all, l)
			continue
		}
		data = data[:min(len(data), input.Longest)]
		kind, _, _ := strings.Cut(e.Name(), "-")
		if k, ok := input.ParseKind(kind); ok {
			all = append(all, &listed{name: e.Name(), kind: k, data: data})
			continue
		}
		all = append(all, &listed{name: e.Name(), kind: input.Serial, data: data}, &listed{name: e.Name(), kind: input.Air, data: data})
	}
	return all, nil
}

// read reads a list of inputs.
func (l *listed) read(data []byte) error {
	if err := json.Unmarshal(data, l); err != nil {
		return fmt.Errorf("it is no list of inputs: %w", err)
	}
	for n, x := range l.Inputs {
		if _, err := madeInput(x); err != nil {
			return fmt.Errorf("input %d: %w", n+1, err)
		}
	}
	return nil
}

// keepCorpus writes what led to something new, and what broke something, into a folder, one list in a file.
func keepCorpus(dir string, s *subject, r *check.Report) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	for _, list := range r.Corpus {
		l := &listed{Inputs: madeInputs(list)}
		data, err := json.Marshal(l)
		if err != nil {
			return err
		}
		if err := l.write(filepath.Join(dir, fmt.Sprintf("%08x.json", crc32.ChecksumIEEE(data)))); err != nil {
			return err
		}
	}
	for n, f := range r.Findings {
		if list := check.Messages(s.system, f.Trace); len(list) > 0 {
			if err := (&listed{Inputs: madeInputs(list)}).write(filepath.Join(dir, fmt.Sprintf("finding-%d.json", n+1))); err != nil {
				return err
			}
		}
	}
	return nil
}

// write keeps a list.
func (l *listed) write(path string) error {
	return WriteFile("--out", path, func(to io.Writer) error { return json.NewEncoder(to).Encode(l) })
}

// suite is a corpus that comes again.
type suite struct {
	files   []*listed
	failing []string // names of files whose inputs break something
}

// suite reads the corpus.
func (f *Fuzz) suite() (*suite, error) {
	if f.Corpus == "" {
		return nil, errors.New("--replay-corpus: name the folder of inputs with --corpus")
	}
	files, err := readCorpus(f.Corpus)
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("--corpus %s: there are no inputs", f.Corpus)
	}
	return &suite{files: files}, err
}

// run has the inputs come, and names the files that break something.
func (x *suite) run(base check.System, opt check.Options, h Host) (*check.Report, error) {
	var lists [][]check.MadeInput
	for _, l := range x.files {
		lists = append(lists, l.made())
	}
	opt.Found = nil
	r, broken, err := check.Refeed(base, lists, opt)
	for n, texts := range broken {
		for _, text := range texts {
			h.say("%s: %s", x.files[n].name, text)
		}
		if len(texts) > 0 {
			x.failing = append(x.failing, x.files[n].name)
		}
	}
	return r, err
}
