package solver

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"motehound/study/symbolic/expr"
)

// term is an s-expression: a word, or a list.
type term struct {
	word string
	list []term
	leaf bool
}

// maxNesting bounds what is read from another program.
const maxNesting = 64

var errTruncated = errors.New("SMT-LIB text ends in the middle")

// readTerm reads one s-expression; rest is what follows it. A symbol between bars is the word between them; strings and
// comments do not occur in models and are read as words.
func readTerm(text string) (t term, rest string, err error) { return readNested(text, 0) }

func readNested(text string, depth int) (t term, rest string, err error) {
	text = strings.TrimLeft(text, " \t\r\n")
	switch {
	case text == "":
		return t, "", errTruncated
	case depth > maxNesting:
		return t, "", fmt.Errorf("SMT-LIB text is nested more than %d deep", maxNesting)
	case text[0] == ')':
		return t, "", errors.New("SMT-LIB text has a closing parenthesis too many")
	case text[0] == '|':
		end := strings.IndexByte(text[1:], '|')
		if end < 0 {
			return t, "", errTruncated
		}
		return term{word: text[1 : 1+end], leaf: true}, text[2+end:], nil
	case text[0] != '(':
		end := strings.IndexAny(text, " \t\r\n()|")
		if end < 0 {
			end = len(text)
		}
		return term{word: text[:end], leaf: true}, text[end:], nil
	}
	rest = text[1:]
	for {
		rest = strings.TrimLeft(rest, " \t\r\n")
		if strings.HasPrefix(rest, ")") {
			return t, rest[1:], nil
		}
		var in term
		if in, rest, err = readNested(rest, depth+1); err != nil {
			return t, "", err
		}
		t.list = append(t.list, in)
	}
}

// bitValue reads a value: true, false, #x1f, #b01, (_ bv7 8).
func bitValue(t term) (v uint64, width int, err error) {
	bad := fmt.Errorf("%q is no value of a bit vector", t.String())
	switch {
	case t.leaf && t.word == "true":
		return 1, 1, nil
	case t.leaf && t.word == "false":
		return 0, 1, nil
	case t.leaf && strings.HasPrefix(t.word, "#x"):
		v, err = strconv.ParseUint(t.word[2:], 16, 64)
		width = 4 * (len(t.word) - 2)
	case t.leaf && strings.HasPrefix(t.word, "#b"):
		v, err = strconv.ParseUint(t.word[2:], 2, 64)
		width = len(t.word) - 2
	case len(t.list) == 3 && t.list[0].word == "_" && strings.HasPrefix(t.list[1].word, "bv"):
		v, err = strconv.ParseUint(t.list[1].word[2:], 10, 64)
		if err == nil {
			width, err = strconv.Atoi(t.list[2].word)
		}
	default:
		return 0, 0, bad
	}
	if err != nil || width < 1 || width > 64 || width < 64 && v>>width != 0 {
		return 0, 0, bad
	}
	return v, width, nil
}

// String writes the term back, on one line.
func (t term) String() string {
	if t.leaf {
		return t.word
	}
	parts := make([]string, len(t.list))
	for i, in := range t.list {
		parts[i] = in.String()
	}
	return "(" + strings.Join(parts, " ") + ")"
}

// parseValues reads the answer to get-value for the given variables, in their order.
func parseValues(p *expr.Pool, vars []expr.VarIndex, text string) (expr.Model, error) {
	t, rest, err := readTerm(text)
	if err != nil {
		return expr.Model{}, err
	}
	if t.leaf || strings.TrimSpace(rest) != "" || len(t.list) != len(vars) {
		return expr.Model{}, fmt.Errorf("%d values asked for, answered %.80q", len(vars), text)
	}
	values := make([]uint64, len(vars))
	for i, v := range vars {
		pair := t.list[i].list
		if len(pair) != 2 || !pair[0].leaf || pair[0].word != p.VarName(v) {
			return expr.Model{}, fmt.Errorf("value of %s asked for, answered %.80q", p.VarName(v), t.list[i].String())
		}
		value, width, err := bitValue(pair[1])
		if err != nil {
			return expr.Model{}, fmt.Errorf("value of %s: %w", p.VarName(v), err)
		}
		if want := p.Width(p.VarID(v)); width != want {
			return expr.Model{}, fmt.Errorf("value of %s has %d bits, want %d", p.VarName(v), width, want)
		}
		values[i] = value
	}
	return expr.NewModel(vars, values), nil
}

// writeGetValue asks for the values of variables.
func writeGetValue(w io.Writer, p *expr.Pool, vars []expr.VarIndex) error {
	names := make([]string, len(vars))
	for i, v := range vars {
		names[i] = p.SMTName(v)
	}
	_, err := fmt.Fprintf(w, "(get-value (%s))\n", strings.Join(names, " "))
	return err
}
