package job

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"math"
	"path"
	"slices"
	"strings"
	"time"

	"motehound/job/document"
	"motehound/study/mining"
	"motehound/study/outlier"
	"motehound/study/verdict"
)

// Mine asks for the event-handling intervals that look wrong.
type Mine struct {
	World
	Field
	Files    []string      `json:"files"` // firmware and scenarios
	Node     []string      `json:"node"`  // node ids, or all
	Vectors  []string      `json:"vectors,omitempty"`
	Tasks    []string      `json:"tasks,omitempty"`
	Pool     string        `json:"pool"` // all or mote
	Detector string        `json:"detector"`
	Top      int           `json:"top"` // how many to list; 0 for all
	Runs     int           `json:"runs"`
	Sweeps   []string      `json:"sweeps,omitempty"` // NAME=V1,V2,...
	Skip     time.Duration `json:"skip_ns"`          // what began so early is left out; negative for what is usual
	Page     bool          `json:"page,omitempty"`   // also gather what a page for the browser shows
}

// NewMine is the usual request for some files.
func NewMine(files ...string) Mine {
	return Mine{World: NewWorld(), Field: Field{Log: Log{Layout: UsualLayout}}, Files: files, Node: []string{"all"}, Pool: PoolAll,
		Detector: outlier.Default().Name(), Top: 10, Runs: 1, Skip: -1}
}

// Detector is a way to tell the unusual from the usual.
type Detector struct{ Name, About string }

// Detectors are all of them.
func Detectors() (all []Detector) {
	for _, d := range outlier.All() {
		all = append(all, Detector{d.Name(), d.About()})
	}
	return all
}

// Mined is what mine found.
type Mined struct {
	Document document.Rankings
	Builds   []*MinedBuild // in order of appearance, with all their intervals
	Runs     []document.MinedRun
	Rankings []Ranked // for a page; nil if none was asked for
}

// Ranked is the intervals of one interrupt of a build.
type Ranked struct {
	Build   *MinedBuild
	Ranking *mining.Ranking
}

// What Pool can be.
const (
	PoolAll  = "all"
	PoolMote = "mote"
)

// Do makes the runs and ranks their intervals. With an error there may be a result, too: intervals that could not be ranked.
func (f Mine) Do(ctx context.Context, h Host) (*Mined, error) {
	detector, err := f.valid()
	if err != nil {
		return nil, err
	}
	if f.Trace != "" {
		return f.mineTrace(detector, h)
	}
	var plans []plannedRun
	err = h.Reading(ctx, f.Files[0], func() (err error) {
		plans, err = f.plans(h)
		return err
	})
	if err != nil {
		return nil, err
	}
	m, err := f.gatherAll(ctx, plans, h)
	if err != nil {
		return nil, err
	}
	h.done()
	if ctx.Err() != nil && m.intervals() == 0 {
		return nil, &Unfinished{}
	}
	if err := f.filter(m); err != nil {
		return nil, err
	}
	return m, f.rank(ctx, m, detector, h)
}

// valid refuses what makes no sense.
func (f *Mine) valid() (outlier.Detector, error) {
	detector, err := outlier.Find(f.Detector)
	if err != nil {
		return nil, fmt.Errorf("--detector: %w", err)
	}
	if f.Runs < 1 || f.Runs > maxRuns {
		return nil, fmt.Errorf("--runs %d: give 1 to %d", f.Runs, maxRuns)
	}
	if f.Pool != PoolAll && f.Pool != PoolMote {
		return nil, fmt.Errorf("--pool %q: choose %s or %s", f.Pool, PoolAll, PoolMote)
	}
	for _, pattern := range f.Tasks {
		if _, err := path.Match(pattern, ""); err != nil {
			return nil, fmt.Errorf("--task %q: %w", pattern, err)
		}
	}
	if len(f.Files) == 0 {
		return nil, errors.New("which firmware file?")
	}
	return detector, nil
}

// Explained is how many intervals of a ranking are explained for a page, at least.
const Explained = 200

// rank ranks the intervals of each build's interrupts, of all motes together or of each.
func (f *Mine) rank(ctx context.Context, m *Mined, detector outlier.Detector, h Host) error {
	defer h.done()
	late := h.Patience(ctx)
	var leftOut []string
	explained := max(f.Top, 1)
	if f.Page {
		explained = max(f.Top, Explained)
	}
	for _, b := range m.Builds {
		vectors := f.chosen(b)
		for mote, collection := range f.pools(&b.Collection) {
			has := collection.Vectors()
			for _, v := range vectors {
				if !slices.Contains(has, v) {
					continue
				}
				name := b.Chip.VectorName(uint8(v))
				h.doing("ranking the intervals of %s", name)
				var ranking *mining.Ranking
				err, ok := Awaited(late, func() (err error) {
					ranking, err = collection.RankFirst(v, detector, explained, f.listed(), f.Page)
					return err
				})
				if !ok {
					leftOut = append(leftOut, fmt.Sprintf("the intervals of %s: no time was left to rank them", name))
					continue
				}
				if err != nil {
					return err
				}
				if f.Top == 0 && f.Page && ranking.Intervals > maxListed {
					leftOut = append(leftOut, fmt.Sprintf("intervals of %s behind the first %d: a page has no room for them, but without --html all are listed", name, maxListed))
				}
				doc := document.MineOf(ranking, b.Chip, m.Runs, f.Top, b.Task)
				doc.Firmware = b.Name
				if f.Pool == PoolMote {
					doc.Mote = &mote
				}
				m.Document.Rankings = append(m.Document.Rankings, doc)
				if f.Page {
					m.Rankings = append(m.Rankings, Ranked{b, ranking})
				}
			}
		}
	}
	docs := m.Document.Rankings
	if len(docs) == 0 && ctx.Err() != nil {
		return &Unfinished{leftOut}
	}
	if len(docs) == 0 {
		return fmt.Errorf("no event-handling interval ended in %v: run longer (--time), or look at other interrupts (--vector)", f.time())
	}
	if ctx.Err() != nil {
		leftOut = append(leftOut, verdict.Interrupted)
	}
	for _, d := range docs {
		d.Judge(leftOut...)
	}
	return nil
}

// OnPage is how many intervals of a ranking are on a page, at least.
const OnPage = 30

// maxListed bounds the memory of a job with a page: so many intervals of a ranking are kept, and those that stand out.
const maxListed = 100_000

// listed is how many intervals of a ranking are shown.
func (f *Mine) listed() int {
	switch {
	case f.Top == 0 && f.Page:
		return maxListed
	case f.Top == 0:
		return math.MaxInt
	case f.Page:
		return max(f.Top, OnPage)
	}
	return f.Top
}

// pools is the intervals that are ranked with each other, with the node id of the mote if they are of one.
func (f *Mine) pools(collection *mining.Collection) iter.Seq2[uint16, *mining.Collection] {
	return func(yield func(uint16, *mining.Collection) bool) {
		if f.Pool != PoolMote {
			yield(0, collection)
			return
		}
		for _, id := range collection.IDs() {
			if !yield(id, collection.Only(func(iv *mining.Interval) bool { return iv.ID == id })) {
				return
			}
		}
	}
}

// filter leaves the intervals that have the tasks that were asked for.
func (f *Mine) filter(m *Mined) error {
	if f.Tasks == nil {
		return nil
	}
	seen, left := map[string]bool{}, 0
	for _, b := range m.Builds {
		some := b.Collection.Only(func(iv *mining.Interval) bool {
			found := false
			for _, t := range iv.Tasks {
				name := b.Task(t.ID)
				seen[name] = true
				for _, pattern := range f.Tasks {
					ok, _ := path.Match(pattern, name)
					found = found || ok || strings.HasSuffix(name, "."+pattern)
				}
			}
			return found
		})
		b.Collection = *some
		left += some.Len()
	}
	if left == 0 {
		return fmt.Errorf("--task %s: no interval has such a task; there are %s", strings.Join(f.Tasks, ", "),
			strings.Join(slices.Sorted(maps.Keys(seen)), ", "))
	}
	return nil
}

// chosen is the interrupts of a build to rank.
func (f *Mine) chosen(b *MinedBuild) []uint16 {
	seen := b.Collection.Vectors()
	if f.Vectors != nil {
		return seen
	}
	return slices.DeleteFunc(seen, func(v uint16) bool { return v == 1 }) // what main does before its first task
}
