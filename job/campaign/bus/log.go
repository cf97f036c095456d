package bus

import (
	"fmt"
	"strings"
	"sync"
)

// lastError is a server's log of which only the last error is kept. Somebody is told once that its disk is full: then a server answers nobody any more, until it is
// started again.
type lastError struct {
	mu   sync.Mutex
	err  error
	full func()
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
	if l.full != nil && strings.Contains(l.err.Error(), "no space left on device") {
		l.full()
		l.full = nil
	}
}

func (l *lastError) Errorf(format string, args ...any) { l.note(format, args...) }
func (l *lastError) Fatalf(format string, args ...any) { l.note(format, args...) }
func (l *lastError) Warnf(string, ...any)              {}
func (l *lastError) Noticef(string, ...any)            {}
func (l *lastError) Debugf(string, ...any)             {}
func (l *lastError) Tracef(string, ...any)             {}
