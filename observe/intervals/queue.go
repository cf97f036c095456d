package intervals

import (
	"slices"
)

// waiting is a post whose task has not run.
type waiting struct {
	inst  *instance // nil: the poster began before the recording
	slot  int32     // index in inst.Tasks, -1 if not listed
	id    uint16
	depth uint16
}

// queue holds the posts that wait, oldest first. Taking the oldest is what kernels do, and is cheap; the others may be taken
// too.
type queue struct {
	posts []waiting
	head  int // posts before it are gone
}

func (q *queue) len() int { return len(q.posts) - q.head }

func (q *queue) add(w waiting) {
	if q.head > 32 && q.head > len(q.posts)/2 {
		n := copy(q.posts, q.posts[q.head:])
		q.posts, q.head = q.posts[:n], 0
	}
	q.posts = append(q.posts, w)
}

// find is the place in the queue of the first post of a task, -1 if none waits.
func (q *queue) find(id uint16) int {
	return slices.IndexFunc(q.posts[q.head:], func(w waiting) bool { return w.id == id })
}

func (q *queue) remove(at int) waiting {
	live := q.posts[q.head:]
	w := live[at]
	copy(live[1:], live[:at])
	q.head++
	return w
}

func (q *queue) clear() { q.posts, q.head = q.posts[:0], 0 }
