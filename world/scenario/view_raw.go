package scenario

import (
	"fmt"
	pathpkg "path"
	"slices"

	"go.starlark.net/starlark"

	"motehound/firmware/image"
)

// raw is n.bytes(path): a variable as it lies in memory, so that any two of one type can be compared.
func (n *node) raw(thread *starlark.Thread, f *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	path, err := pathArg(f, args, kwargs)
	if err != nil {
		return nil, err
	}
	p, addr, err := n.locate(path)
	if err != nil {
		return nil, err
	}
	t := p.ref.Type.Strip()
	if t == nil || p.ref.BitSize != 0 {
		return nil, fmt.Errorf("%s: %s has no bytes of its own", f.Name(), path)
	}
	if err := charge(thread, int(t.Size)); err != nil {
		return nil, err
	}
	b := make([]byte, t.Size)
	if p.ref.Space == image.Data {
		n.e.reads.Memory = append(n.e.reads.Memory, Read{n.index, addr, addr + t.Size})
		for i := range b {
			b[i] = n.e.view.LoadByte(n.index, (addr+uint32(i))&0xFFFF)
		}
		return starlark.Bytes(b), nil
	}
	for m, i := n.In(p.ref.Space), 0; i < len(b); i++ {
		b[i] = m.LoadByte(addr + uint32(i))
	}
	return starlark.Bytes(b), nil
}

// names is n.vars(pattern): the variables of the firmware whose names fit, in order.
func (n *node) names(thread *starlark.Thread, f *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	pattern, err := pathArg(f, args, kwargs)
	if err != nil {
		return nil, err
	}
	if list, ok := n.e.fitting[fitKey{n.image, pattern}]; ok {
		return list, nil
	}
	if _, err := pathpkg.Match(pattern, ""); err != nil {
		return nil, fmt.Errorf("%s: %q is not a pattern: use a name (* and ? stand for any characters)", f.Name(), pattern)
	}
	if err := charge(thread, len(n.image.Symbols)); err != nil {
		return nil, err
	}
	var found []string
	for _, s := range n.image.Symbols {
		if ok, _ := pathpkg.Match(pattern, s.Name); ok && s.Kind == image.Object && s.Space == image.Data {
			found = append(found, s.Name)
		}
	}
	slices.Sort(found)
	list := starlark.Tuple{}
	for _, name := range slices.Compact(found) {
		list = append(list, starlark.String(name))
	}
	if len(n.e.fitting) < maxFitting {
		n.e.fitting[fitKey{n.image, pattern}] = list
	}
	return list, nil
}

// fitKey is what n.vars was asked for.
type fitKey struct {
	im      *image.Image
	pattern string
}

const maxFitting = 1000
