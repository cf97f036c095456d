package job

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"motehound/firmware/disk"
	"motehound/firmware/kernel"
	"motehound/job/document"
	"motehound/job/phrase"
	"motehound/observe/lifecycle"
	"motehound/study/builds"
	"motehound/world"
	"motehound/world/recipe"
)

// Lifecycle asks for the interrupts, posts and tasks of a run.
type Lifecycle struct {
	Lifecycle string   `json:"lifecycle,omitempty"` // the file, JSON lines if it is called .jsonl; - for lines of progress
	Kernels   []string `json:"kernels,omitempty"`   // files that describe kernels, 1=FILE for mote 1's firmware
}

// record writes items as they happen. The returned function ends the file.
func (f *Lifecycle) record(w *world.World, h Host) (done func() error, err error) {
	if f.Lifecycle == "" {
		if f.Kernels != nil {
			return nil, fmt.Errorf("--kernel %s: only --lifecycle uses it", strings.Join(f.Kernels, " "))
		}
		return func() error { return nil }, nil
	}
	named, err := NamedKernels(f.Kernels)
	if err != nil {
		return nil, err
	}
	described, err := DescribedKernels(w, named, readKernel)
	if err != nil {
		return nil, err
	}
	done = func() error { return nil }
	var to io.Writer
	if f.Lifecycle != "-" {
		file, err := disk.Create(f.Lifecycle, 0o666)
		if err != nil {
			return nil, fmt.Errorf("--lifecycle: %w", err)
		}
		out := bufio.NewWriter(file)
		to, done = out, func() error {
			defer file.Close()
			err := out.Flush()
			if err == nil {
				err = file.Commit()
			}
			if err != nil {
				return fmt.Errorf("--lifecycle: %w", err)
			}
			return nil
		}
	}
	asJSON := strings.HasSuffix(f.Lifecycle, ".jsonl")
	var r *lifecycle.Recorder
	r, err = lifecycle.RecordSome(w, described, nil, func(i int, it kernel.Item) {
		m := w.Motes()[i]
		name := itemName(r.Profile(i), m.Chip().VectorName, it)
		switch {
		case asJSON:
			line, err := json.Marshal(document.LifecycleLine{Time: float64(m.Time()) / world.Second, Mote: m.ID(), Kind: it.Kind.String(), Arg: it.Arg, Name: name, Cycle: it.Cycle})
			if err != nil {
				panic("BUG: " + err.Error())
			}
			to.Write(append(line, '\n')) // bufio keeps the error for Flush
		case to != nil:
			fmt.Fprintln(to, LifecycleText(m.Time(), m.ID(), it, name))
		default:
			h.line("%s", LifecycleText(m.Time(), m.ID(), it, name))
		}
	})
	if err != nil {
		return nil, err
	}
	network := builds.Of(w).All()
	for _, b := range network {
		p, of := r.Profile(b.Motes[0]), ""
		if len(network) > 1 {
			of = b.String() + ": "
		}
		h.note("%skernel %s: %s", of, p.Kernel, p.Why)
	}
	return done, nil
}

// Kernels are the names of the kernels that are known.
func Kernels() []string { return kernel.Kernels() }

// LifecycleText is an item for people.
func LifecycleText(ps uint64, mote uint16, it kernel.Item, name string) string {
	text := fmt.Sprintf("%s mote %d %s", phrase.Seconds(ps), mote, it.Kind)
	if name != "" {
		text += " " + name
	}
	return fmt.Sprintf("%s, cycle %d", text, it.Cycle)
}

// itemName names what an item is about: a vector or a task.
func itemName(p *kernel.Profile, vector func(uint8) string, it kernel.Item) string {
	switch it.Kind {
	case kernel.Reset:
		return ""
	case kernel.Int, kernel.Reti:
		return vector(uint8(it.Arg))
	}
	return p.TaskName(it.Arg)
}

// NamedKernels are the files of --kernel: "1=FILE" describes the kernel of mote 1's firmware, and "FILE" that of each firmware in which it
// is found.
func NamedKernels(texts []string) ([]recipe.Kernel, error) {
	var list []recipe.Kernel
	for _, text := range texts {
		k := recipe.Kernel{}
		file := text
		if id, rest, ok := strings.Cut(text, "="); ok {
			if n, err := strconv.Atoi(id); err == nil {
				file, k.Mote = rest, &n
			}
		}
		data, err := readKernel(file)
		if err != nil {
			return nil, fmt.Errorf("--kernel: %w", err)
		}
		k.Source = recipe.SourceOf(file, data)
		list = append(list, k)
	}
	return list, nil
}

// DescribedKernels are the kernels of the firmwares that files describe. Each file has to be what it was when it was named.
func DescribedKernels(w *world.World, list []recipe.Kernel, read func(name string) ([]byte, error)) (kernel.Descriptions, error) {
	network, all := builds.Of(w), kernel.Descriptions{}
	for _, k := range list {
		of := network.All()
		if k.Mote != nil {
			i, err := network.Mote(*k.Mote)
			if err != nil {
				return nil, fmt.Errorf("--kernel %d=%s: %w", *k.Mote, k.Name, err)
			}
			of = []*builds.Build{network.At(i)}
		}
		text, err := read(k.Name)
		if err != nil {
			return nil, fmt.Errorf("the kernel's description: %w", err)
		}
		if k.SHA256 != recipe.SourceOf(k.Name, text).SHA256 {
			return nil, fmt.Errorf("%s has changed since the finding was made", k.Name)
		}
		d, err := kernel.ParseDescription(k.Name, text)
		if err != nil {
			return nil, fmt.Errorf("--kernel: %w", err)
		}
		if err := describe(all, d, of); err != nil {
			return nil, fmt.Errorf("--kernel %s: %w", k.Name, err)
		}
	}
	return all, nil
}

// describe gives a kernel to the builds in which it is found: at least one.
func describe(all kernel.Descriptions, d *kernel.Description, of []*builds.Build) error {
	var first error
	fits := false
	for _, b := range of {
		if _, err := d.Profile(b.Kind.Image, b.Kind.Program()); err != nil {
			first = cmp.Or(first, err)
			continue
		}
		if other := all[b.Kind.Image.Hash]; other != nil {
			return fmt.Errorf("%s already has the kernel %s", b.Name(), other.Name)
		}
		all[b.Kind.Image.Hash], fits = d, true
	}
	if !fits {
		return first
	}
	return nil
}

// readKernel reads the description of a kernel.
func readKernel(name string) ([]byte, error) { return disk.Read(name, 1<<20) }
