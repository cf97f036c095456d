package behavior

import (
	"maps"
	"slices"
	"strings"

	"motehound/observe/calltree"
)

// Difference is what two model files, as those of two firmware versions, do not have in common.
type Difference struct {
	Vectors []VectorDifference `json:"vectors"`
	// Of the data that the application uses, if both files know of it: orders with the models' names in their own file.
	RemovedOrders []DataOrder `json:"removed_orders,omitempty"`
	AddedOrders   []DataOrder `json:"added_orders,omitempty"`
	RemovedRules  []Rule      `json:"removed_rules,omitempty"`
	AddedRules    []Rule      `json:"added_rules,omitempty"`
	// Without how long they waited.
	RemovedRequests []Request `json:"removed_requests,omitempty"`
	AddedRequests   []Request `json:"added_requests,omitempty"`
}

// VectorDifference is that of one interrupt. Models have their names in their own file.
type VectorDifference struct {
	Vector  uint16       `json:"vector"`
	Name    string       `json:"name,omitempty"`
	Depths  []string     `json:"depths,omitempty"` // if they differ: models are compared at the smaller one, and flows are not
	Shows   string       `json:"shows,omitempty"`  // the smallest depth at which the models differ
	Common  [][2]string  `json:"common,omitempty"` // in the first file and in the second
	Changed []Changed    `json:"changed,omitempty"`
	Removed []string     `json:"removed,omitempty"` // only in the first
	Added   []string     `json:"added,omitempty"`   // only in the second
	Flows   []FlowChange `json:"flows,omitempty"`
}

// Changed is two models that begin alike.
type Changed struct {
	From   string `json:"from"`
	To     string `json:"to"`
	Leaves *Leave `json:"leaves"`
}

// FlowChange is a flow that only one file has, or that is interleaved otherwise.
type FlowChange struct {
	From    string   `json:"from,omitempty"` // in the first file
	To      string   `json:"to,omitempty"`   // in the second
	Removed []string `json:"removed,omitempty"`
	Added   []string `json:"added,omitempty"` // models that interleave it now
}

// Same reports whether there is no difference.
func (d *Difference) Same() bool {
	if len(d.RemovedOrders)+len(d.AddedOrders)+len(d.RemovedRules)+len(d.AddedRules)+len(d.RemovedRequests)+len(d.AddedRequests) > 0 {
		return false
	}
	return !slices.ContainsFunc(d.Vectors, func(v VectorDifference) bool {
		return v.Depths != nil || len(v.Changed)+len(v.Removed)+len(v.Added)+len(v.Flows) > 0
	})
}

// Diff compares two files.
func Diff(from, to *File) (*Difference, error) {
	for _, f := range []*File{from, to} {
		if err := f.check(); err != nil {
			return nil, err
		}
	}
	numbers := map[uint16]bool{}
	for _, f := range []*File{from, to} {
		for _, v := range f.Vectors {
			numbers[v.Vector] = true
		}
	}
	c := &comparison{cast: newCast(calltree.NewBook()), same: map[string]string{}}
	d := &Difference{}
	for _, n := range slices.Sorted(maps.Keys(numbers)) {
		d.Vectors = append(d.Vectors, c.models(n, lookup(from, n), lookup(to, n)))
	}
	for i := range d.Vectors {
		if v := &d.Vectors[i]; v.Depths == nil {
			c.flows(v, lookup(from, v.Vector), lookup(to, v.Vector))
		}
	}
	c.data(d, from, to)
	return d, nil
}

// lookup is an interrupt of a file, empty if it has none.
func lookup(f *File, n uint16) *FileVector {
	for i := range f.Vectors {
		if f.Vectors[i].Vector == n {
			return &f.Vectors[i]
		}
	}
	return &FileVector{Vector: n}
}

// comparison is of two files: same is the name in the second for a name in the first.
type comparison struct {
	cast *Cast
	same map[string]string
}

func (c *comparison) models(n uint16, from, to *FileVector) VectorDifference {
	d := VectorDifference{Vector: n, Name: from.Name}
	if d.Name == "" {
		d.Name = to.Name
	}
	if from.Depth != to.Depth && from.Depth != "" && to.Depth != "" {
		d.Depths = []string{from.Depth, to.Depth}
		if from, to = cutToCommon(from, to); from == nil {
			return d
		}
	}
	d.Shows = showsAt(from, to)
	var gone, came []FileModel
	taken := map[string]bool{}
	for _, m := range from.Models {
		i := slices.IndexFunc(to.Models, func(x FileModel) bool {
			return !taken[x.Name] && x.Depth == m.Depth && sameLines(x.Functions, m.Functions)
		})
		if i < 0 {
			gone = append(gone, m)
			continue
		}
		taken[to.Models[i].Name] = true
		c.same[m.Name] = to.Models[i].Name
		d.Common = append(d.Common, [2]string{m.Name, to.Models[i].Name})
	}
	for _, m := range to.Models {
		if !taken[m.Name] {
			came = append(came, m)
		}
	}
	c.pair(&d, gone, came)
	return d
}

// pair joins what begins alike, the longest first; one function, the handler, is not enough.
func (c *comparison) pair(d *VectorDifference, gone, came []FileModel) {
	trees := map[string]*calltree.Node{}
	for _, m := range append(slices.Clone(gone), came...) {
		t, err := parseTree(c.cast.Book, m.Functions)
		if err != nil {
			panic("BUG: a model that was checked: " + err.Error())
		}
		trees[strings.Join(m.Functions, "\n")] = t
	}
	tree := func(m *FileModel) *calltree.Node { return trees[strings.Join(m.Functions, "\n")] }
	for len(gone) > 0 && len(came) > 0 {
		most, bi, bj := 1, -1, -1
		for i := range gone {
			for j := range came {
				if n := shared(c.cast.Lens, tree(&gone[i]), tree(&came[j]), int(MaxDepth)); n > most {
					most, bi, bj = n, i, j
				}
			}
		}
		if bi < 0 {
			break
		}
		d.Changed = append(d.Changed, Changed{gone[bi].Name, came[bj].Name,
			leave(c.cast.Lens, tree(&came[bj]), tree(&gone[bi]), MaxDepth)})
		gone, came = slices.Delete(gone, bi, bi+1), slices.Delete(came, bj, bj+1)
	}
	for _, m := range gone {
		d.Removed = append(d.Removed, m.Name)
	}
	for _, m := range came {
		d.Added = append(d.Added, m.Name)
	}
}

// flows compares flows by the models that the files have in common. A flow that begins elsewhere in its cycle is the same.
func (c *comparison) flows(d *VectorDifference, from, to *FileVector) {
	taken := make([]bool, len(to.Flows))
	for _, f := range from.Flows {
		want := c.translate(f.Models)
		i := 0
		for i < len(to.Flows) && (taken[i] || !sameCycle(want, strings.Fields(to.Flows[i].Models))) {
			i++
		}
		if i == len(to.Flows) {
			d.Flows = append(d.Flows, FlowChange{From: f.Models})
			continue
		}
		taken[i] = true
		change := FlowChange{From: f.Models, To: to.Flows[i].Models}
		var now []string
		for _, x := range to.Flows[i].Interleaved {
			now = append(now, x.Model)
		}
		for _, x := range f.Interleaved {
			if at := slices.Index(now, c.translate(x.Model)[0]); at >= 0 {
				now = slices.Delete(now, at, at+1)
			} else {
				change.Removed = append(change.Removed, x.Model)
			}
		}
		if change.Added = now; len(now)+len(change.Removed) > 0 {
			d.Flows = append(d.Flows, change)
		}
	}
	for i, f := range to.Flows {
		if !taken[i] {
			d.Flows = append(d.Flows, FlowChange{To: f.Models})
		}
	}
}

// translate gives the second file's names; what it does not have gets one that no model has.
func (c *comparison) translate(models string) []string {
	list := strings.Fields(models)
	for i, m := range list {
		if other, ok := c.same[m]; ok {
			list[i] = other
		} else {
			list[i] = "-" + m
		}
	}
	return list
}

func sameCycle(a, b []string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if slices.Equal(slices.Concat(a[i:], a[:i]), b) {
			return true
		}
	}
	return len(a) == 0
}
