package world

// SetStride limits how far motes run ahead of each other, as a function of the moment they start from. It changes
// nothing but speed, and is there to show that.
func (w *World) SetStride(f func(now uint64) uint64) { w.sched.stride = f }
