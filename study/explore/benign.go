package explore

import (
	"fmt"
	"slices"

	"motehound/firmware/image"
)

// benign is a variable whose races nobody wants to know.
type benign struct {
	name string
	at   []image.Range // by kind; empty where the firmware has no such variable
}

// spare finds the variables whose races are not told. Each must be in some firmware.
func (sh *shared) spare() error {
	for _, name := range sh.opt.Benign {
		x := benign{name: name, at: make([]image.Range, len(sh.kinds))}
		var missing error
		found := false
		for n := range sh.kinds {
			ref, err := sh.kinds[n].kind.Image.Lookup(name)
			switch {
			case err != nil:
				if missing == nil {
					missing = err
				}
			case ref.Space != image.Data || ref.Indirect() || ref.Type == nil:
				missing = fmt.Errorf("%s is no variable with a fixed place in RAM", name)
			default:
				x.at[n], found = image.Range{Lo: ref.Addr, Hi: ref.Addr + ref.Type.Size}, true
			}
		}
		if !found {
			return fmt.Errorf("benign: %w", missing)
		}
		sh.benign = append(sh.benign, x)
		sh.spared = append(sh.spared, false)
	}
	return nil
}

// without is a contact except for variables that are benign; the same if there are none.
func (s *System) without(i int, f *contact) *contact {
	if len(s.sh.benign) == 0 {
		return f
	}
	kind := slices.IndexFunc(s.sh.kinds, func(k kind) bool { return k.kind == s.sh.motes[i].kind.kind })
	spared := func(a uint16) bool {
		return slices.ContainsFunc(s.sh.benign, func(b benign) bool { return b.at[kind].Contains(uint32(a)) })
	}
	rest := *f
	rest.reads = slices.DeleteFunc(slices.Clone(f.reads), spared)
	rest.writes = slices.DeleteFunc(slices.Clone(f.writes), spared)
	return &rest
}

// spares notes that a race was seen that is not told.
func (s *System) spares(i int, r *race) { s.isBenign(i, r.shared.Whole) }

// isBenign tells whether a part of a variable is benign, and notes that something was seen that is not told.
func (s *System) isBenign(i int, whole image.Range) (is bool) {
	kind := slices.IndexFunc(s.sh.kinds, func(k kind) bool { return k.kind == s.sh.motes[i].kind.kind })
	s.sh.mu.Lock()
	defer s.sh.mu.Unlock()
	for n := range s.sh.benign {
		if x := s.sh.benign[n].at[kind]; x.Lo < whole.Hi && whole.Lo < x.Hi {
			s.sh.spared[n], is = true, true
		}
	}
	return is
}

// Spared lists the variables that have races which are not told.
func (s *System) Spared() (names []string) {
	s.sh.mu.Lock()
	defer s.sh.mu.Unlock()
	for n, b := range s.sh.benign {
		if s.sh.spared[n] {
			names = append(names, b.name)
		}
	}
	return names
}
