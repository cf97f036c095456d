package behavior

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"motehound/firmware/jsonfile"
)

// fileVersion is the version of model files that is written. Files of all versions up to it are read. A field that is not known is an
// error: it is a typing mistake, or something that this version would not check.
const fileVersion = 2

// File is an approved model file: what people commit beside their firmware. It has names and lines and no addresses, one
// function a line, in a fixed order, so that it survives a rebuild and differences can be read.
type File struct {
	Version  int          `json:"motehound_models"`
	Firmware string       `json:"firmware,omitempty"` // from which it was mined, for information
	SHA256   string       `json:"sha256,omitempty"`
	Filter   FileFilter   `json:"filter"`
	Depth    string       `json:"depth"` // of interrupts that are not listed
	Every    bool         `json:"every_vector"`
	Vectors  []FileVector `json:"vectors"`
	// Data: it is known which data interleavings touch. Only those that use data in another order than Orders are violations.
	Data     bool        `json:"data,omitempty"`
	Orders   []DataOrder `json:"data_orders,omitempty"`
	Rules    []Rule      `json:"rules,omitempty"`
	Requests []Request   `json:"requests,omitempty"`
}

// FileFilter is a Filter.
type FileFilter struct {
	Include []string `json:"include,omitempty"`
	Exclude []string `json:"exclude,omitempty"`
	Helpers bool     `json:"helpers,omitempty"`
	Wiring  bool     `json:"wiring,omitempty"`
	Kernel  bool     `json:"kernel,omitempty"`
}

// FileVector is an interrupt.
type FileVector struct {
	Vector  uint16      `json:"vector"`
	Name    string      `json:"name,omitempty"` // in the datasheet
	Depth   string      `json:"depth"`
	Watched bool        `json:"watched"`              // its procedures and flows are checked; else it only interleaves others
	Idle    bool        `json:"background,omitempty"` // it comes at any time, and interleaves nobody
	Loose   bool        `json:"loose,omitempty"`      // its sequence is too irregular for flows to be checked
	Models  []FileModel `json:"models"`
	Flows   []FileFlow  `json:"flows,omitempty"`
}

// FileModel is an event-procedure model.
type FileModel struct {
	Name      string     `json:"name"`
	Depth     string     `json:"depth,omitempty"` // at which it is dropped, if not the interrupt's
	Dropped   bool       `json:"dropped,omitempty"`
	Summary   string     `json:"summary,omitempty"`
	Count     uint64     `json:"count,omitempty"`
	Functions []string   `json:"functions"`          // the common part, two spaces for each layer
	Variants  [][]string `json:"variants,omitempty"` // with a half depth: what was seen in the layer below, shortest first
}

// FileFlow is a job flow, or a stretch of the approved run besides it.
type FileFlow struct {
	Models      string             `json:"models"` // names with spaces between; twice the same is two or more
	Main        bool               `json:"main,omitempty"`
	Count       int                `json:"count,omitempty"`
	Share       float64            `json:"share,omitempty"`
	Interleaved []FileInterleaving `json:"interleaved,omitempty"` // M(J)
}

// FileInterleaving is a model of M(J).
type FileInterleaving struct {
	Model   string       `json:"model"`
	Inside  bool         `json:"inside,omitempty"`
	Between bool         `json:"between,omitempty"`
	Example *FileExample `json:"example,omitempty"`
}

// FileExample is an instance of the flow.
type FileExample struct {
	Mote     int    `json:"mote"`          // node id
	Run      int    `json:"run,omitempty"` // of several, from 0
	Instance uint32 `json:"instance"`
	Cycle    uint64 `json:"start_cycle"`
}

// ReadFile reads a model file.
func ReadFile(data []byte) (*File, error) {
	var probe struct {
		Version *int `json:"motehound_models"`
	}
	if err := json.Unmarshal(data, &probe); err != nil {
		return nil, cmp.Or(jsonfile.Decode("not a model file", data, new(File)), fmt.Errorf("not a model file: %w", err))
	}
	switch {
	case probe.Version == nil:
		return nil, fmt.Errorf("not a model file: it has no motehound_models; make one with 'motehound model mine --models FILE'")
	case *probe.Version > fileVersion:
		return nil, fmt.Errorf("the model file has version %d, and this Motehound knows up to %d: use a newer one", *probe.Version, fileVersion)
	case *probe.Version < 1:
		return nil, fmt.Errorf("the model file has version %d: versions start at 1", *probe.Version)
	}
	f := &File{}
	if err := jsonfile.Decode("not a model file", data, f); err != nil {
		return nil, err
	}
	f.Version = fileVersion
	if err := f.check(); err != nil {
		return nil, fmt.Errorf("the model file: %w", err)
	}
	return f, nil
}

// Bytes is the file as it is written.
func (f *File) Bytes() []byte {
	f.sort()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(f); err != nil {
		panic("BUG: a model file cannot be written: " + err.Error())
	}
	return b.Bytes()
}

func (f *File) sort() {
	slices.SortFunc(f.Orders, DataOrder.compare)
	slices.SortFunc(f.Rules, compareRules)
	slices.SortFunc(f.Requests, compareRequests)
	slices.SortStableFunc(f.Vectors, func(a, b FileVector) int { return int(a.Vector) - int(b.Vector) })
	for i := range f.Vectors {
		v := &f.Vectors[i]
		slices.SortStableFunc(v.Models, func(a, b FileModel) int { return compareNames(a.Name, b.Name) })
		for j := range v.Flows {
			slices.SortStableFunc(v.Flows[j].Interleaved, func(a, b FileInterleaving) int { return compareNames(a.Model, b.Model) })
		}
	}
}

// compareNames orders Z18 before AA18.
func compareNames(a, b string) int {
	la, lb := strings.TrimRight(a, "0123456789.@"), strings.TrimRight(b, "0123456789.@")
	if len(la) != len(lb) {
		return len(la) - len(lb)
	}
	return strings.Compare(a, b)
}

// check tells what is wrong in a file that somebody may have edited.
func (f *File) check() error {
	if _, err := ParseDepth(f.Depth); err != nil {
		return err
	}
	names := map[string]bool{}
	vectors := map[uint16]bool{}
	for i := range f.Vectors {
		v := &f.Vectors[i]
		if vectors[v.Vector] {
			return fmt.Errorf("interrupt %d is listed twice", v.Vector)
		}
		vectors[v.Vector] = true
		if _, err := ParseDepth(v.Depth); err != nil {
			return fmt.Errorf("interrupt %d: %w", v.Vector, err)
		}
		for j := range v.Models {
			if err := v.checkModel(&v.Models[j], names); err != nil {
				return err
			}
		}
	}
	for i := range f.Vectors {
		v := &f.Vectors[i]
		own := map[string]bool{}
		for _, m := range v.Models {
			own[m.Name] = !m.Dropped
		}
		for _, flow := range v.Flows {
			if err := flow.check(v.Vector, own, names); err != nil {
				return err
			}
		}
	}
	for _, o := range f.Orders {
		for _, a := range []Access{o.After, o.Access} {
			if a.Model != "" && !names[a.Model] {
				return fmt.Errorf("data_orders of %s: there is no model %s", o.Variable, a.Model)
			}
		}
	}
	return nil
}

func (v *FileVector) checkModel(m *FileModel, names map[string]bool) error {
	name, _, _ := strings.Cut(m.Name, "@")
	if n, err := VectorOf(name); err != nil || n != v.Vector {
		return fmt.Errorf("model %q of interrupt %d: names are letters and the interrupt's number, such as A%d", m.Name, v.Vector, v.Vector)
	}
	if names[m.Name] {
		return fmt.Errorf("model %s is listed twice", m.Name)
	}
	names[m.Name] = true
	if m.Depth != "" {
		if _, err := ParseDepth(m.Depth); err != nil {
			return fmt.Errorf("model %s: %w", m.Name, err)
		}
		if !m.Dropped {
			return fmt.Errorf("model %s has a depth of its own, which only dropped models have", m.Name)
		}
	}
	for _, list := range append([][]string{m.Functions}, m.Variants...) {
		for _, line := range list {
			if _, err := parseLine(line); err != nil {
				return fmt.Errorf("model %s: %w", m.Name, err)
			}
		}
	}
	if _, err := parseTree(NewBook(), m.Functions); err != nil {
		return fmt.Errorf("model %s: %w", m.Name, err)
	}
	return nil
}

func (f *FileFlow) check(vector uint16, own, names map[string]bool) error {
	models := strings.Fields(f.Models)
	if len(models) == 0 {
		return fmt.Errorf("interrupt %d has a flow without models", vector)
	}
	for i, m := range models {
		if !own[m] {
			return fmt.Errorf("flow %q: interrupt %d has no model %s that is not dropped", f.Models, vector, m)
		}
		if i >= 2 && m == models[i-1] && m == models[i-2] {
			return fmt.Errorf("flow %q: %s comes three times in a row; twice means two or more", f.Models, m)
		}
	}
	for _, x := range f.Interleaved {
		if !names[x.Model] {
			return fmt.Errorf("flow %q is interleaved by %s, which the file does not have", f.Models, x.Model)
		}
	}
	return nil
}

// Filter is what the file's models were filtered with.
func (f *FileFilter) Filter() Filter {
	return Filter{Include: f.Include, Exclude: f.Exclude, Helpers: f.Helpers, Wiring: f.Wiring, Kernel: f.Kernel}
}
