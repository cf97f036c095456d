package job

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"motehound/firmware/image"
	"motehound/job/phrase"
	"motehound/mote"
	"motehound/study/travel"
)

// ByID finds a mote by its node id.
func (j *Journey) ByID(text string) (int, error) {
	id, err := strconv.Atoi(text)
	for i, m := range j.Motes() {
		if err == nil && int(m.ID()) == id {
			return i, nil
		}
	}
	return 0, fmt.Errorf("there is no mote %q: there are %s", text, phrase.List(j.Motes(), func(m *mote.Mote) string { return strconv.Itoa(int(m.ID())) }))
}

// Variable is one of a mote.
type Variable struct {
	Path string
	Mote int
	Ref  image.Ref
	Addr uint32
}

// Variable finds one by its path: table[3].addr of the mote that is looked at, or 2.table of mote 2.
func (j *Journey) Variable(path string) (v Variable, err error) {
	if path == "" {
		return v, errors.New("give a variable")
	}
	v.Path, v.Mote = path, j.Here().Mote
	if id, rest, ok := strings.Cut(path, "."); ok && rest != "" && strings.Trim(id, "0123456789") == "" {
		if v.Mote, err = j.ByID(id); err != nil {
			return v, err
		}
		path = rest
	}
	m := j.Motes()[v.Mote]
	if v.Ref, err = m.Kind.Image.Lookup(path); err != nil {
		ref, failed := m.Kind.Image.Lookup(spelled(m.Kind.Image, path))
		if failed != nil {
			return v, err
		}
		v.Ref = ref
	}
	v.Addr, err = v.Ref.Resolve(m.Memory())
	return v, err
}

// spelled is a path with its variable's name as the compiler has it, of one as people are shown it: PolluteC.packets for PolluteC__packets.
func spelled(im *image.Image, path string) string {
	best, name := "", ""
	for _, v := range im.Vars() {
		shown := image.Readable(v.Name)
		if rest, ok := strings.CutPrefix(path, shown); ok && len(shown) > len(best) && (rest == "" || strings.ContainsAny(rest[:1], ".[-")) {
			best, name = shown, v.Name
		}
	}
	return name + strings.TrimPrefix(path, best)
}

// Bytes is where a variable is in the data space.
func (v *Variable) Bytes() (travel.Range, error) {
	if v.Ref.Space != image.Data {
		return travel.Range{}, fmt.Errorf("%s is not in RAM: nothing writes it", v.Path)
	}
	bytes := max(v.Ref.Type.Size, 1)
	if v.Ref.BitSize > 0 {
		bytes = (v.Ref.BitOffset + v.Ref.BitSize + 7) / 8
	}
	return travel.Range{Mote: v.Mote, Addr: uint16(v.Addr), Bytes: uint16(bytes)}, nil
}

// Read is its value in a mote.
func (v *Variable) Read(m *mote.Mote) (image.Value, error) {
	return v.Ref.Read(m.Memory().In(v.Ref.Space))
}

// Changes is, of a bit-field, whether a store changes it; nil for other variables.
func (v *Variable) Changes() func(*mote.Mote, travel.Hit) bool {
	if v.Ref.BitSize == 0 {
		return nil
	}
	bits := (uint64(1)<<v.Ref.BitSize - 1) << v.Ref.BitOffset
	return func(_ *mote.Mote, h travel.Hit) bool {
		return uint64(h.Old^h.New)<<(8*(uint32(h.Addr)-v.Addr))&bits != 0
	}
}

// Written finds the last store to a variable before here, or the last that changed it. Of a bit-field it is always one that changed it: others are written with it.
func (j *Journey) Written(path string, changed bool, stop func() bool) (travel.Hit, error) {
	v, err := j.Variable(path)
	if err != nil {
		return travel.Hit{}, err
	}
	r, err := v.Bytes()
	if err != nil {
		return travel.Hit{}, err
	}
	w := &travel.Watch{If: v.Changes()}
	if changed {
		w.Changes = []travel.Range{r}
	} else {
		w.Writes = []travel.Range{r}
	}
	return j.Last(w, stop)
}

// LineCode is the instructions, by word address, that begin a line, in the order of addresses; or all that belong to it, if it has none of its own but calls
// what is inlined there.
func LineCode(k *mote.Kind, file string, line int) (pcs []uint32) {
	for _, a := range k.Image.AddrsOf(file, line) {
		pcs = append(pcs, a/2)
	}
	if len(pcs) > 0 {
		return pcs
	}
	for pc := range k.Program().Words() {
		if within(k, pc, file, line) {
			pcs = append(pcs, pc)
		}
	}
	return pcs
}

// within reports whether an instruction belongs to a line, at any depth of inlining.
func within(k *mote.Kind, pc uint32, file string, line int) bool {
	return slices.ContainsFunc(k.Image.InlineStack(pc*2), func(f image.Frame) bool { return f.Line.Line == line && f.File == file })
}

// Codes are instructions of a mote.
func Codes(mote int, pcs []uint32) (list []travel.Code) {
	for _, pc := range pcs {
		list = append(list, travel.Code{Mote: mote, PC: pc})
	}
	return list
}

// GoToFinding goes to the instruction that breaks what the run is a finding of, or the first thing that the built-in checks find. It is nil if nothing
// goes wrong.
func (j *Journey) GoToFinding(stop func() bool) (*Broken, error) {
	list, err := j.Broken(stop)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	x := &list[0]
	if j.Found != nil {
		x = &list[len(list)-1]
	}
	if err := j.Go(x.At.Point, stop); err != nil {
		return nil, err
	}
	if x.At.Mote >= 0 {
		if err := j.Look(x.At.Mote); err != nil {
			return nil, err
		}
	}
	if !j.Explored() || x.Violation.Line == 0 {
		return x, nil
	}
	if pcs := LineCode(j.Mote().Kind, x.Violation.File, x.Violation.Line); len(pcs) > 0 {
		here := j.Here()
		_, err := j.Previous(&travel.Watch{Code: Codes(here.Mote, pcs)}, stop)
		if errors.Is(err, travel.ErrNone) {
			err = j.Go(here.Point, stop)
		}
		return x, err
	}
	return x, nil
}

// Moment says which one a point is.
func (j *Journey) Moment(p travel.Point) string {
	if p.Event == 0 {
		return fmt.Sprintf("%d.%06d s", p.Time/1e12, p.Time/1e6%1e6) // to the microsecond, which is some instructions
	}
	_, last := j.Bounds()
	switch {
	case p.Event == last.Event:
		return fmt.Sprintf("behind the last event, %d", last.Event-1)
	case p.Time == 0:
		return fmt.Sprintf("before event %d (%s)", p.Event, j.Beats[p.Event-1].Title)
	}
	return fmt.Sprintf("in event %d (%s)", p.Event, j.Beats[p.Event-1].Title)
}
