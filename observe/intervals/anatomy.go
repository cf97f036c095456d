// Package intervals cuts a mote's life into event-procedure instances and their event-handling intervals, as Sentomist does
// (sections III and V-A): from lifecycle items alone, in one pass, over runs of any length.
//
// An instance begins with its interrupt's handler, and owns the tasks that the handler posts and those that its tasks post
// (Definition 1). A handler's posts are those outside the int-reti strings nested in it (Criterion 2), a task's those outside
// the int-reti strings in its run (Criterion 3). Its interval lasts from the handler's entry to the end of its last task, or
// to the handler's exit if it posts none (Definition 2). Without End items a task lasts to the next Run. What main does outside of every handler and task is an instance of
// the reset vector, 1: from a Reset item, or else from a post, to the first task that the scheduler takes. Without a kernel each round of main's loop is an
// instance of vector 0, unless the round did nothing.
//
// The task of the ith post is that of the ith run (Criterion 1). Items carry the task, so that kernels which do not keep that
// order are followed too: a run takes the first post of its task that waits, and Stats counts it.
//
// Invariants: every instance that begins is reported once, or dropped; an interval that is reported complete had its handler's exit and
// the end of all its tasks seen; at any moment at most one instance executes, so spans of different instances never overlap;
// memory is bounded by Options' limits, whatever the items, unless ByStart is asked for.
package intervals

import "motehound/firmware/kernel"

// ResetVector is the vector of the instances that belong to main, and LoopVector that of the rounds of its loop, in a program without a kernel.
const (
	LoopVector  = 0
	ResetVector = 1
)

// Interval is the life of one event-procedure instance.
type Interval struct {
	Vector    uint16 // the interrupt's number as in the datasheet
	Instance  uint32 // which of the vector's instances, from 1, in order of start; a reset does not begin anew
	Serial    uint64 // which instance of any vector, from 0, in order of start
	Nested    int    // how many handlers the handler interrupted
	Start     uint64 // cycle
	End       uint64 // cycle
	StartItem uint64 // index of the item in the sequence, from 0
	EndItem   uint64
	Complete  bool // else the run ended or the mote was reset in the middle, or items are missing

	Posts     int    // tasks posted
	Failed    int    // posts refused
	Tasks     []Task // in order of post
	MoreTasks int    // how many are not in Tasks, for Options.MaxList

	Ran       uint64 // cycles in which the instance itself executed
	Spans     []Span // those cycles, in order, if Options.Spans asks for them
	MoreSpans int    // how many are not in Spans, for Options.MaxList

	Tag int // the caller's: set in Options.Started, it is there in the sink
}

// Task is one task of an instance.
type Task struct {
	ID     uint16
	Depth  uint16 // 1: posted by the handler, 2: by a task that the handler posted...
	Parent int32  // index in Tasks of the task that posted it, -1 if that was the handler or is not listed
	State  State

	Posted   uint64 // cycle
	Start    uint64 // cycle, unless it still waits
	End      uint64 // cycle, unless it still waits
	PostItem uint64
	RunItem  uint64
	EndItem  uint64
}

// State is how far a task came within its interval.
type State uint8

const (
	Waiting State = iota // it never ran
	Cut                  // it ran, and its end was not seen
	Done
	numStates
)

var stateNames = [numStates]string{"waiting", "cut", "done"}

func (s State) String() string { return stateNames[s] }

// Span is a stretch of cycles, without To.
type Span struct{ From, To uint64 }

// Active is what executes: a handler or a task of an instance, main, or nothing that is known.
type Active struct {
	Vector   uint16
	Instance uint32 // 0: the mote idles, or what runs began before the recording
	Serial   uint64
	Running  bool   // a task runs, else a handler or main
	Task     uint16 // the task, if one runs
	Depth    uint16 // the task's depth
}

// Options are what to report and how much to keep. The zero value is good.
type Options struct {
	// ByStart reports intervals in order of start, not of end. All are kept that started after the oldest open one. Main's
	// hold up nobody, since main may never get to a task: they come when they end.
	ByStart bool

	// PaperEnd ends an interval at the Run item of its last task, which is what figure 4 of the paper outputs.
	PaperEnd bool

	Spans bool // collect Interval.Spans

	MaxDepth int // handlers and tasks on the stack, 64 if 0; the outermost is given up
	MaxQueue int // waiting posts, 1024 if 0; the oldest is given up
	MaxList  int // tasks, and spans, listed per interval, 1024 if 0; the rest is only counted

	// Started hears of every instance when it begins. The interval is the one that the sink gets later, or Dropped: a round that did nothing is no instance.
	// The next one has its number.
	Started func(*Interval)
	Dropped func(*Interval)
	// Restarted hears that a round did nothing, and that the interval is that of the next one: Dropped and Started in one.
	Restarted func(*Interval)

	// Switched hears what executes from a cycle on.
	Switched func(cycle uint64, now Active)
}

// Stats says how well the items fit the concurrency model (Rules 1 to 3): all is well if only the first two groups count.
type Stats struct {
	Items                uint64
	Kinds                [kernel.NumKinds]uint64
	Complete, Incomplete uint64 // intervals reported

	MaxDepth, MaxWaiting, MaxOpen int // most handlers and tasks stacked, posts waiting, and instances open or kept

	OutOfOrder     uint64 // runs of another task than the one that waited longest
	RunsInHandlers uint64 // runs while a handler was active
	LoneRetis      uint64 // exits of no handler: the recording began in the middle
	LoneRuns       uint64 // runs of a task that nobody is known to have posted
	LoneEnds       uint64 // ends of no task
	Unreturned     uint64 // handlers without exit, although the task that they interrupted ended
	Unended        uint64 // tasks without end, although the next one ran, in a recording that has ends
	TooDeep        uint64 // handlers and tasks given up, for Options.MaxDepth
	QueueFull      uint64 // posts given up, for Options.MaxQueue
	Backward       uint64 // items with an earlier cycle than the one before
	Unknown        uint64 // items of no known kind
}
