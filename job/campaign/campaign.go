// Package campaign does a job on many machines: it splits the job into items, has workers do them, and merges what they give.
//
// Invariants: an item is a request with a budget in events, a result depends on the item alone, and merging does not depend on the order in which
// results come. So the result of a campaign is the same whatever the number of workers, their order and their deaths. An item may be done twice; its
// result counts once. Everything that must survive is with the Bus: whoever coordinates can be replaced at any moment.
package campaign

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"motehound/job"
)

// Format is the version of what campaigns, items and results look like.
const Format = 1

// Campaign is what is to be done, as plain data. Two campaigns that are equal are one.
type Campaign struct {
	Format  int      `json:"motehound_campaign"`
	Version string   `json:"version"` // of the program that does the items: another one may give other results
	Title   string   `json:"title"`
	Files   []File   `json:"files"`            // all that the requests read
	Folder  string   `json:"folder,omitempty"` // where the requests' names start, seen from where the files' do
	Strands []Strand `json:"strands"`
}

// Strand is one request of a campaign, and how it is split.
type Strand struct {
	Job     string          `json:"job"` // check, fuzz and parted jobs can be split; see wholes for the others
	Request json.RawMessage `json:"request"`
	Items   int             `json:"items,omitempty"`  // of walks, or parts that are known from the start; 0 for none
	Walks   int             `json:"walks,omitempty"`  // of an item
	Events  uint64          `json:"events,omitempty"` // of a piece of the search or a part, the most; 0 for none
	Epochs  int             `json:"epochs,omitempty"` // of fuzz: in each, items begin with what those of the one before found worth trying
	Label   string          `json:"label,omitempty"`  // of a request that is done as a whole: what its document is called
}

// Own is the job of a program that is not Motehound's command, and does it by itself: see Doer. Only itself has its version, so nobody else takes it.
const Own = "own"

// split tells whether a strand is done in parts.
func (s *Strand) split() bool { return s.Items > 0 || s.Events > 0 }

// File is something that a request reads.
type File struct {
	Name   string `json:"name"` // relative, with slashes
	SHA256 string `json:"sha256"`
	Size   int64  `json:"size"`
}

// ID is the campaign's name: a digest of all that it says.
func (c *Campaign) ID() string {
	data, err := json.Marshal(c)
	if err != nil {
		panic("BUG: a campaign cannot be written: " + err.Error())
	}
	return digest(data)[:16]
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// Limits of campaigns: a coordinator keeps an entry for each item.
const (
	mostItems  = 10_000_000
	mostEpochs = 1000
	// leastEvents is the least of a piece of the search: a smaller one could not be cut any more.
	leastEvents = 1000
)

// Check refuses what cannot be done.
func (c *Campaign) Check() error {
	if c.Format != Format {
		return fmt.Errorf("the campaign has format %d, this program knows %d: use the same version everywhere", c.Format, Format)
	}
	if len(c.Strands) == 0 {
		return errors.New("the campaign has nothing to do")
	}
	if c.Folder != "" && !filepath.IsLocal(filepath.FromSlash(c.Folder)) {
		return fmt.Errorf("the campaign's folder %q is not below its files'", c.Folder)
	}
	for i := range c.Strands {
		if err := c.Strands[i].check(); err != nil {
			return fmt.Errorf("strand %d: %w", i+1, err)
		}
	}
	for _, f := range c.Files {
		if len(f.SHA256) != 2*sha256.Size || !filepath.IsLocal(filepath.FromSlash(f.Name)) {
			return fmt.Errorf("the campaign names a file that is not below its folder, or has no hash: %q", f.Name)
		}
	}
	return nil
}

func (s *Strand) check() error {
	switch {
	case s.Items < 0 || s.Items > mostItems || s.Walks < 0 || s.Epochs < 0 || s.Epochs > mostEpochs:
		return fmt.Errorf("%d items of %d walks, %d epochs: give at most %d items and %d epochs", s.Items, s.Walks, s.Epochs, mostItems, mostEpochs)
	case s.parted():
		return s.checkParted()
	case s.Items > 0 && s.Walks < 1:
		return errors.New("an item has at least one walk")
	case s.split() && s.Job != "check" && s.Job != "fuzz":
		return fmt.Errorf("%s cannot be split: only check, fuzz, %s can", s.Job, strings.Join(slices.Sorted(maps.Keys(parted)), ", "))
	case s.Events > 0 && s.Events < leastEvents:
		return fmt.Errorf("a piece of the search of %d events: give at least %d", s.Events, leastEvents)
	case s.Events > 0 && s.Job != "check":
		return errors.New("only check searches")
	}
	if s.split() {
		_, err := s.shared()
		return err
	}
	if _, ok := wholes[s.Job]; !ok && s.Job != Own {
		return fmt.Errorf("there is no job %q: use %s", s.Job, strings.Join(wholeNames(), ", "))
	}
	return nil
}

// shared is the request of a strand that is split.
func (s *Strand) shared() (*job.Shared, error) {
	c := &job.Shared{Request: job.NewFuzz(""), Fed: s.Job == "fuzz"}
	if !c.Fed {
		c.Request.Check = job.NewCheck("")
	}
	if err := json.Unmarshal(s.Request, &c.Request); err != nil {
		return nil, fmt.Errorf("the request of %s: %w", s.Job, err)
	}
	return c, nil
}

// Item is a piece of work.
type Item struct {
	Strand int       `json:"strand"`
	Epoch  int       `json:"epoch"` // of its strand: the last one explains, those before it explore
	Number int       `json:"number"`
	Piece  []int     `json:"piece,omitempty"` // of a search
	Share  job.Share `json:"share"`
	Begin  string    `json:"begin,omitempty"` // the hash of the inputs that fuzz begins with
}

// ID names an item within its campaign. It is part of a subject on the bus.
func (i *Item) ID() string {
	id := fmt.Sprintf("%d-%d-%d", i.Strand, i.Epoch, i.Number)
	for _, n := range i.Piece {
		id += fmt.Sprintf("-%d", n)
	}
	return id
}

// before tells which of two items of an epoch comes first.
func (i *Item) before(o *Item) int {
	return cmp.Or(cmp.Compare(i.Number, o.Number), slices.Compare(i.Piece, o.Piece))
}

// Result is what an item gave. One of Part, Portion, Document and Failed is set.
type Result struct {
	Format   int             `json:"motehound_result"`
	Campaign string          `json:"campaign"`
	Version  string          `json:"version"`
	Item     Item            `json:"item"`
	Part     *job.SharedPart `json:"part,omitempty"`
	Portion  *job.Portion    `json:"portion,omitempty"`
	Document json.RawMessage `json:"document,omitempty"`
	Bundles  [][]byte        `json:"bundles,omitempty"` // of what the document has found
	Failed   string          `json:"failed,omitempty"`  // why nobody could do it
}

// check refuses a result that is not of an item of this campaign.
func (r *Result) check(id string, c *Campaign) error {
	switch {
	case r.Format != Format:
		return fmt.Errorf("it has format %d, not %d", r.Format, Format)
	case r.Campaign != id:
		return fmt.Errorf("it is of another campaign, %q", r.Campaign)
	case r.Version != c.Version:
		return fmt.Errorf("it was made by version %q, not %q", r.Version, c.Version)
	case r.Item.Strand < 0 || r.Item.Strand >= len(c.Strands):
		return errors.New("its item is none of this campaign")
	case r.Failed == "" && r.Part == nil && r.Portion == nil && len(r.Document) == 0:
		return errors.New("it says nothing")
	case (r.Portion != nil) != (c.Strands[r.Item.Strand].parted() && r.Item.Epoch == 0 && r.Failed == ""):
		return errors.New("it is not of such an item")
	}
	if r.Part != nil && slices.Contains(r.Part.Findings, nil) {
		return errors.New("a finding is missing")
	}
	return nil
}
