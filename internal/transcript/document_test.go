// Package transcript finds what documents show of the command: transcripts, lists of commands, and numbers in the text. Its test
// runs all of it with the current build, and with -update writes the documents anew:
//
//	go test ./internal/transcript -update
//
// What it understands in a document:
//
//	$ motehound ...            in a block: is run, and the lines up to the next $ are what it prints. The same with avr-gcc
//	motehound ...              in a block without $: is run; it must not end with an error
//	...                        on a line of its own, in what is printed: one line or more that are not shown
//	```python net.star         a block with a file name: the file is there for the commands after it
//	<!-- not run (why) -->     before a block: its commands are not run
//	<!-- not run (why): T -->  the same for those of its commands that have T in them
//	<!-- x: motehound ... -->  is run; what it prints is JSON, and is called x. There may be a && before motehound
//	<!-- slow x: ... -->       the same, but not with -short
//	<!-- table: go run ... --> is run in the root of the repository, and prints the table that follows. Slow as above
//	497<!-- x.a.0.b -->        a number, in digits or as a word, is the field a[0].b of x; x.a.# is the length of a, and x.c/1000 a
//	                           thousandth of c. It is rounded to as many digits behind the point as there are
//
// Commands of a document run one after the other, in a folder of their own that has the repository's examples in it. So a command can use
// what one before it has written. In what they print, the folder is /home/me. Both streams of a command count, as they do in a terminal. Blank lines at both ends and blanks at
// the end of a line do not.
//
// Numbers that depend on the machine are masked: how long something took on it, and how fast that was. The table hostNumbers has the
// forms. All else is compared.
//
// Invariants: every block says by its form or by its language what it is; every HTML comment is one of the above; every mark is used. So
// nothing is left out by a slip.
package transcript

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// A Document is a page, with what it shows of the command.
type Document struct {
	lines   []string
	Steps   []Step
	Numbers []Number
}

// A Step is something to do for a document, in its order.
type Step struct {
	Line    int    // of the document, from 1
	Command string // as a shell takes it; empty for a file
	Why     string // it is not run; empty if it is
	Name    string // of a command whose JSON numbers are taken from, or of a file
	Shown   []string
	// Transcript tells whether Shown is what the command prints. For a file it is the content.
	Transcript bool
	Slow       bool // to be left out of short tests
	Table      bool // it is a command of the repository, and Shown is a table
}

// A Number is a number in the text that comes from a command.
type Number struct {
	Line       int // of the document, from 1
	start, end int // in the line
	Text       string
	Name, Path string // the command's name, and which field
}

var (
	fence      = regexp.MustCompile("^\\s*```\\s*(\\S*)\\s*(\\S*)")
	comment    = regexp.MustCompile(`<!--.*?-->`)
	notRun     = regexp.MustCompile(`^<!-- not run \((.+?)\)(?:: (.+))? -->$`)
	definition = regexp.MustCompile(`^<!-- (slow )?(\w+): ((?:.+ && )?motehound .+) -->$`)
	ofTable    = regexp.MustCompile(`^<!-- (slow )?table: (go run .+) -->$`)
	number     = regexp.MustCompile(`([\w.,]*\w)<!-- (\w+)\.(\S+) -->`)
)

// ours tells whether a command can be run: one of motehound, also as it is for readers who have not built it, or the compiler, which other
// tests need, too.
func ours(command string) bool {
	return strings.HasPrefix(command, "motehound ") || strings.HasPrefix(command, buildAndRun) || strings.HasPrefix(command, "avr-gcc ")
}

const buildAndRun = "go run ./cmd/motehound "

// Words is the command as the test runs it.
func (s *Step) Words() string {
	if rest, ok := strings.CutPrefix(s.Command, buildAndRun); ok {
		return "motehound " + rest
	}
	return s.Command
}

// mark is a comment that says what is not run.
type mark struct {
	line      int
	why, text string
	used      bool
}

// Parse reads a document.
func Parse(text string) (*Document, error) {
	d := &Document{lines: strings.Split(strings.TrimSuffix(text, "\n"), "\n")}
	var marks []*mark
	for i := 0; i < len(d.lines); i++ {
		line := d.lines[i]
		if fence.MatchString(line) {
			end, err := d.block(i, marks)
			if err != nil {
				return nil, err
			}
			i, marks = end, nil
			continue
		}
		switch m := notRun.FindStringSubmatch(line); {
		case m != nil:
			marks = append(marks, &mark{line: i + 1, why: m[1], text: m[2]})
			continue
		case strings.TrimSpace(line) != "" && marks != nil:
			return nil, fmt.Errorf("line %d: no block follows", marks[0].line)
		}
		if m := ofTable.FindStringSubmatch(line); m != nil {
			end := d.table(i, m[2], m[1] != "")
			if end == i {
				return nil, fmt.Errorf("line %d: no table follows", i+1)
			}
			i = end
			continue
		}
		if err := d.prose(i); err != nil {
			return nil, err
		}
	}
	if marks != nil {
		return nil, fmt.Errorf("line %d: no block follows", marks[0].line)
	}
	return d, d.names()
}

// prose reads a line outside of blocks.
func (d *Document) prose(i int) error {
	line := d.lines[i]
	if m := definition.FindStringSubmatch(line); m != nil {
		d.Steps = append(d.Steps, Step{Line: i + 1, Command: m[3], Name: m[2], Slow: m[1] != ""})
		return nil
	}
	found := number.FindAllStringSubmatchIndex(line, -1)
	for _, at := range found {
		d.Numbers = append(d.Numbers, Number{i + 1, at[2], at[3], line[at[2]:at[3]], line[at[4]:at[5]], line[at[6]:at[7]]})
	}
	if n := len(comment.FindAllString(line, -1)); n != len(found) || strings.Count(line, "<!--") != n {
		return fmt.Errorf("line %d: a comment that means nothing; the package comment of internal/transcript has those that do", i+1)
	}
	return nil
}

// table reads the lines of a table that a command prints, and gives the last of them.
func (d *Document) table(begin int, command string, slow bool) (last int) {
	last = begin
	for last+1 < len(d.lines) && strings.HasPrefix(d.lines[last+1], "|") {
		last++
	}
	d.Steps = append(d.Steps, Step{Line: begin + 1, Command: command, Transcript: true, Table: true, Slow: slow, Shown: d.lines[begin+1 : last+1]})
	return last
}

// block reads what stands between two fences, and gives the line of the second.
func (d *Document) block(begin int, marks []*mark) (end int, err error) {
	end = begin + 1
	for end < len(d.lines) && strings.TrimSpace(d.lines[end]) != "```" {
		end++
	}
	if end == len(d.lines) {
		return end, fmt.Errorf("line %d: the block does not end", begin+1)
	}
	info := fence.FindStringSubmatch(d.lines[begin])
	if err := d.inside(begin, end, info[1], info[2]); err != nil {
		return end, err
	}
	return end, d.apply(marks, begin+1)
}

// inside reads the lines of a block.
func (d *Document) inside(begin, end int, language, file string) error {
	body := d.lines[begin+1 : end]
	transcript := slices.ContainsFunc(body, func(l string) bool { return strings.HasPrefix(l, "$ ") })
	commands := language == "sh" || slices.ContainsFunc(body, ours)
	switch {
	case transcript:
		if !strings.HasPrefix(body[0], "$ ") {
			return fmt.Errorf("line %d: a transcript begins with a command", begin+2)
		}
		for i, line := range body {
			if command, ok := strings.CutPrefix(line, "$ "); ok {
				d.Steps = append(d.Steps, Step{Line: begin + 2 + i, Command: command, Transcript: true})
			} else {
				last := &d.Steps[len(d.Steps)-1]
				last.Shown = append(last.Shown, line)
			}
		}
	case commands:
		for i, line := range body {
			if strings.TrimSpace(line) != "" {
				d.Steps = append(d.Steps, Step{Line: begin + 2 + i, Command: line})
			}
		}
	case file != "":
		d.Steps = append(d.Steps, Step{Line: begin + 2, Name: file, Shown: body})
	case language == "":
		return fmt.Errorf("line %d: a block without a command: begin it with `$ motehound ...`, which prints it, or name its language", begin+1)
	}
	return nil
}

// apply marks the steps of the block that begins at a line.
func (d *Document) apply(marks []*mark, begin int) error {
	for i := range d.Steps {
		s := &d.Steps[i]
		if s.Line <= begin || s.Command == "" {
			continue
		}
		for _, m := range marks {
			if strings.Contains(s.Command, m.text) {
				s.Why, m.used = m.why, true
			}
		}
		if s.Why == "" && !ours(s.Command) {
			return fmt.Errorf("line %d: %s is not motehound: mark it with <!-- not run (why) --> before the block", s.Line, s.Command)
		}
	}
	for _, m := range marks {
		if !m.used {
			return fmt.Errorf("line %d: the block has no such command", m.line)
		}
	}
	return nil
}

// names makes sure that numbers have commands, and commands numbers.
func (d *Document) names() error {
	defined, used := map[string]int{}, map[string]bool{}
	for _, s := range d.Steps {
		if s.Name == "" || s.Command == "" {
			continue
		}
		if defined[s.Name] != 0 {
			return fmt.Errorf("line %d: %s is the name of another command, too", s.Line, s.Name)
		}
		defined[s.Name] = s.Line
	}
	for _, n := range d.Numbers {
		if defined[n.Name] == 0 {
			return fmt.Errorf("line %d: no command is called %s", n.Line, n.Name)
		}
		used[n.Name] = true
	}
	for name, line := range defined {
		if !used[name] {
			return fmt.Errorf("line %d: no number is taken from %s", line, name)
		}
	}
	return nil
}

// Text is the document with other outputs, in the order of its steps (nil leaves one as it is), and other numbers.
func (d *Document) Text(outputs [][]string, numbers []string) string {
	lines := slices.Clone(d.lines)
	for i := len(numbers) - 1; i >= 0; i-- { // from the right: places to the left of a change stay
		n := d.Numbers[i]
		l := &lines[n.Line-1]
		*l = (*l)[:n.start] + numbers[i] + (*l)[n.end:]
	}
	for i := len(outputs) - 1; i >= 0; i-- {
		if s := d.Steps[i]; outputs[i] != nil {
			lines = slices.Replace(lines, s.Line, s.Line+len(s.Shown), outputs[i]...)
		}
	}
	return strings.Join(lines, "\n") + "\n"
}
