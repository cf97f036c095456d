package bus

import (
	"fmt"
	"sync"
)

// lastError is a server's log of which only the last error is kept.
type lastError struct {
	mu  sync.Mutex
	err error
}

func (l *lastError) get() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.err
}

func (l *lastError) note(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.err = fmt.Errorf(format, args...)
}

func (l *lastError) Errorf(format string, args ...any) { l.note(format, args...) }
func (l *lastError) Fatalf(format string, args ...any) { l.note(format, args...) }
func (l *lastError) Warnf(string, ...any)              {}
func (l *lastError) Noticef(string, ...any)            {}
func (l *lastError) Debugf(string, ...any)             {}
func (l *lastError) Tracef(string, ...any)             {}
