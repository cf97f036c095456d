package world

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
)

// Choice kinds: every uncertain thing that a world can ask about. The names and numbers are part of the recipe format;
// new ones are added at the end.
const (
	ChoiceSensor ChoiceKind = iota // an ADC reading of a channel that nothing was said about: 1024 options, the reading
	ChoiceDrift                    // how far a mote's crystal is off: 2*Drift+1 options, -Drift..Drift ppm, 0 first
	ChoiceBoot                     // when a mote is switched on: option n is n microseconds after the earliest moment
	// ChoiceReception is what becomes of a frame at a mote whose radio listens: delivered, lost, corrupted, duplicated.
	ChoiceReception
	ChoiceCorruption // which bit of a corrupted frame is wrong: 8*16 options
	ChoiceWire       // what becomes of a frame on a wire to this mote: as for ChoiceReception
	ChoiceNoise      // something in a radio: 0 is the ordinary outcome
	// ChoiceFault is what befalls a mote that has a budget for it left: nothing, reboot, outage, late boot, a busy channel. It is asked when
	// a frame has ended at the mote (one on the air that its radio listened to from the start, or one on a wire), when its own
	// transmission has ended, and before it is switched on.
	ChoiceFault
	NumChoiceKinds
)

// ChoiceKind says what is uncertain.
type ChoiceKind uint8

var choiceNames = [NumChoiceKinds]string{"sensor", "drift", "boot", "reception", "corruption", "wire", "noise", "fault"}

// String is the kind's name in recipes.
func (k ChoiceKind) String() string { return choiceNames[k] }

// Choice is one question. Number counts the questions of this kind that this mote has asked, so the answer to a
// question does not depend on the order in which motes run.
type Choice struct {
	Kind    ChoiceKind
	Mote    int // index in the world
	Number  uint32
	Options uint32 // answers are 0..Options-1
	// Allowed has a bit for each answer that may be given, or is 0 if all may. The numbers of answers do not depend on it.
	Allowed uint64
	// Weights, if not nil, are how likely each answer is in nature, in parts of about 2^32. A search does not care.
	Weights []uint32
}

// Allows reports whether an answer may be given.
func (c *Choice) Allows(answer uint32) bool {
	return answer < c.Options && (c.Allowed == 0 || c.Allowed>>answer&1 != 0)
}

// Chooser answers questions. It must be a function of its own configuration and the Choice alone, so that a world can be
// cloned and put back without it.
type Chooser interface {
	Choose(c Choice) uint32
}

// Natural answers with even chances, from a seed.
type Natural struct{ Seed uint64 }

// Choose implements Chooser.
func (n Natural) Choose(c Choice) uint32 {
	h := n.Seed
	for _, w := range [...]uint64{uint64(c.Kind), uint64(c.Mote), uint64(c.Number)} {
		h = mix(h ^ w)
	}
	if c.Weights != nil {
		u, last := uint32(h>>32), uint32(0)
		for i, weight := range c.Weights {
			if weight == 0 || !c.Allows(uint32(i)) {
				continue
			}
			if u < weight {
				return uint32(i)
			}
			u, last = u-weight, uint32(i)
		}
		return last
	}
	if c.Allowed != 0 {
		n := uint32((h >> 32) * uint64(bits.OnesCount64(c.Allowed)) >> 32)
		left := c.Allowed
		for ; n > 0; n-- {
			left &= left - 1
		}
		return uint32(bits.TrailingZeros64(left))
	}
	// The high half of a 64-bit product maps a hash evenly to a range.
	return uint32((h >> 32) * uint64(c.Options) >> 32)
}

// Ordinary answers with the first answer that is allowed: nothing fails, and sensors of which nothing was said read 0.
type Ordinary struct{}

// Choose implements Chooser.
func (Ordinary) Choose(c Choice) uint32 {
	for a := range c.Options {
		if c.Allows(a) {
			return a
		}
	}
	return 0
}

// mix is the finaliser of SplitMix64 (Steele, Lea, Flood 2014).
func mix(z uint64) uint64 {
	z += 0x9E3779B97F4A7C15
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// Fixed answers some questions as told, and leaves the others to another chooser, those too whose answer is not allowed
// (any more).
type Fixed struct {
	Answers []Answer // sorted by (Mote, Kind, Number)
	Else    Chooser
}

// Answer is a question answered.
type Answer struct {
	Kind   ChoiceKind
	Mote   int
	Number uint32
	Answer uint32
}

// Choose implements Chooser.
func (f Fixed) Choose(c Choice) uint32 {
	for _, a := range f.Answers {
		if a.Kind == c.Kind && a.Mote == c.Mote && a.Number == c.Number && c.Allows(a.Answer) {
			return a.Answer
		}
	}
	return f.Else.Choose(c)
}

// FindChoiceKind looks a kind up by its name in recipes.
func FindChoiceKind(name string) (ChoiceKind, error) {
	k, err := findName("choice", name, choiceNames[:])
	return ChoiceKind(k), err
}

func findName(of, name string, names []string) (int, error) {
	if i := slices.Index(names, name); i >= 0 {
		return i, nil
	}
	return 0, fmt.Errorf("unknown kind of %s %q: known are %s", of, name, strings.Join(names, ", "))
}

// ask puts a question to the chooser, all of whose answers are equally likely.
func (w *World) ask(i int, k ChoiceKind, options uint32) uint32 {
	return w.put(Choice{Kind: k, Mote: i, Options: options})
}

// put numbers a question and puts it to the chooser.
func (w *World) put(c Choice) uint32 {
	n := &w.per[c.Mote].asked[c.Kind]
	c.Number = *n
	*n++
	a := w.choose.Choose(c)
	if !c.Allows(a) {
		panic(fmt.Sprintf("BUG: chooser answered %d to a %s choice of %d options, allowed %b", a, c.Kind, c.Options, c.Allowed))
	}
	for _, f := range w.observe.choice {
		f(c, a)
	}
	return a
}
