package ci

import (
	"fmt"
	"io"
	"strings"
	"unicode"
)

// writeAnnotations writes GitHub's workflow commands: what fails as errors, what is known or milder as warnings and notices.
func writeAnnotations(to io.Writer, r *Report) error {
	for _, s := range r.shown() {
		command := "notice"
		switch {
		case s.fresh:
			command = "error"
		case s.known:
			command = "warning"
		}
		file, line := s.place()
		at := "file=" + escaped(property, file)
		if line > 0 {
			at += fmt.Sprintf(",line=%d", line)
		}
		if _, err := fmt.Fprintf(to, "::%s %s,title=%s::%s\n", command, at, escaped(property, "Motehound: "+rule(s.Finding)), escaped(message, s.words())); err != nil {
			return err
		}
	}
	return nil
}

// escaped is a text in a command, without what a terminal would take for a command to itself.
func escaped(by *strings.Replacer, text string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsControl(c) {
			return ' '
		}
		return c
	}, by.Replace(text))
}

// What has a meaning in a command is written as a number. No other character ends a line or a property.
var (
	message  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)
