package behavior

import (
	"slices"
	"strings"
)

// cutModels are the models of an interrupt at a smaller depth, in whole layers: those that are the same there are one, named as the first.
func cutModels(v *FileVector, layers int) *FileVector {
	out := &FileVector{Vector: v.Vector, Name: v.Name, Depth: Depth(2 * layers).String()}
	for _, m := range v.Models {
		if m.Dropped && m.Depth != "" {
			continue
		}
		cut := FileModel{Name: m.Name, Functions: slices.DeleteFunc(slices.Clone(m.Functions), func(line string) bool {
			l, err := parseLine(line)
			return err != nil || l.layer > layers
		})}
		if !slices.ContainsFunc(out.Models, func(x FileModel) bool { return sameLines(x.Functions, cut.Functions) }) {
			out.Models = append(out.Models, cut)
		}
	}
	return out
}

// cutToCommon brings two files' models to the depth of the one that looks less deep; nil if they cannot be compared: the application's code
// and so many layers are different views.
func cutToCommon(from, to *FileVector) (*FileVector, *FileVector) {
	a, err1 := ParseDepth(from.Depth)
	b, err2 := ParseDepth(to.Depth)
	layers := min(a, b).Whole()
	if err1 != nil || err2 != nil || a == AppDepth || b == AppDepth || layers == 0 {
		return nil, nil
	}
	return cutModels(from, layers), cutModels(to, layers)
}

// showsAt is the smallest depth at which two files have different models, "" if there is none. The application's code has one.
func showsAt(from, to *FileVector) string {
	d, err := ParseDepth(from.Depth)
	if err != nil || from.Depth != to.Depth || sameModels(from, to) {
		return ""
	}
	if d == AppDepth {
		return from.Depth
	}
	for layers := 1; layers <= d.Whole(); layers++ {
		if !sameModels(cutModels(from, layers), cutModels(to, layers)) {
			return Depth(2 * layers).String()
		}
	}
	return from.Depth
}

// sameModels compares what models do, whatever their names.
func sameModels(from, to *FileVector) bool {
	within := func(a, b *FileVector) bool {
		return !slices.ContainsFunc(a.Models, func(m FileModel) bool {
			return !slices.ContainsFunc(b.Models, func(x FileModel) bool { return x.Depth == m.Depth && sameLines(x.Functions, m.Functions) })
		})
	}
	return within(from, to) && within(to, from)
}

// data compares orders of data and rules.
func (c *comparison) data(d *Difference, from, to *File) {
	for _, r := range from.Rules {
		if !slices.Contains(to.Rules, r) {
			d.RemovedRules = append(d.RemovedRules, r)
		}
	}
	for _, r := range to.Rules {
		if !slices.Contains(from.Rules, r) {
			d.AddedRules = append(d.AddedRules, r)
		}
	}
	if !from.Data || !to.Data {
		return
	}
	left := slices.Clone(to.Orders)
	for _, o := range from.Orders {
		now := o
		now.After.Model, now.Access.Model = strings.Join(c.translate(o.After.Model), ""), strings.Join(c.translate(o.Access.Model), "")
		if at := slices.Index(left, now); at >= 0 {
			left = slices.Delete(left, at, at+1)
		} else {
			d.RemovedOrders = append(d.RemovedOrders, o)
		}
	}
	d.AddedOrders = left
}
