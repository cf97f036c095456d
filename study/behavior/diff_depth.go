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
	layers := min(a, b).whole()
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
	for layers := 1; layers <= d.whole(); layers++ {
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

// missing are the elements of a list that another one does not have.
func missing[T any](list, other []T, same func(a, b T) bool) []T {
	var left []T
	for _, x := range list {
		if !slices.ContainsFunc(other, func(y T) bool { return same(x, y) }) {
			left = append(left, x)
		}
	}
	return left
}

// data compares orders of data, rules and requests.
func (c *comparison) data(d *Difference, from, to *File) {
	sameRule := func(a, b Rule) bool { return a == b }
	d.RemovedRules, d.AddedRules = missing(from.Rules, to.Rules, sameRule), missing(to.Rules, from.Rules, sameRule)
	sameRequest := func(a, b Request) bool { return compareRequests(a, b) == 0 }
	d.RemovedRequests, d.AddedRequests = missing(from.Requests, to.Requests, sameRequest), missing(to.Requests, from.Requests, sameRequest)
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
