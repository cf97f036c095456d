package transcript

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Value is the number of a JSON document that a path leads to.
func Value(document []byte, path string) (string, error) {
	d := json.NewDecoder(strings.NewReader(string(document)))
	d.UseNumber()
	var at any
	if err := d.Decode(&at); err != nil {
		return "", fmt.Errorf("it prints no JSON: %w", err)
	}
	path, by, part := strings.Cut(path, "/")
	for _, key := range strings.Split(path, ".") {
		switch in := at.(type) {
		case map[string]any:
			next, ok := in[key]
			if !ok {
				return "", fmt.Errorf("%s: there is no %s, only %s", path, key, strings.Join(keys(in), ", "))
			}
			at = next
		case []any:
			if key == "#" {
				at = json.Number(strconv.Itoa(len(in)))
				continue
			}
			n, err := strconv.Atoi(key)
			if err != nil || n < 0 || n >= len(in) {
				return "", fmt.Errorf("%s: %s is no place in a list of %d", path, key, len(in))
			}
			at = in[n]
		default:
			return "", fmt.Errorf("%s: nothing is inside of %v", path, at)
		}
	}
	n, ok := at.(json.Number)
	if !ok {
		return "", fmt.Errorf("%s is no number: %.60v", path, at)
	}
	if !part {
		return n.String(), nil
	}
	whole, err1 := n.Float64()
	parts, err2 := strconv.ParseFloat(by, 64)
	if err := errors.Join(err1, err2); err != nil || parts == 0 {
		return "", fmt.Errorf("%s cannot be divided by %s: %w", path, by, err)
	}
	return strconv.FormatFloat(whole/parts, 'f', -1, 64), nil
}

func keys(m map[string]any) []string {
	var all []string
	for k := range m {
		all = append(all, k)
	}
	slices.Sort(all)
	return all
}

// words is how small numbers are written in a text.
var words = strings.Fields(`no one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
	eighteen nineteen twenty`)

// As writes a number as another one is written in a text: in digits, with commas between thousands, with as many places behind the
// point, or as a word.
func As(like, value string) string {
	if slices.Contains(words, strings.ToLower(like)) {
		n, err := strconv.Atoi(value)
		if err != nil || n < 0 || n >= len(words) {
			return value
		}
		if like == strings.ToLower(like) {
			return words[n]
		}
		return strings.ToUpper(words[n][:1]) + words[n][1:]
	}
	if _, places, ok := strings.Cut(like, "."); ok || strings.Contains(value, ".") {
		if f, err := strconv.ParseFloat(value, 64); err == nil {
			value = strconv.FormatFloat(f, 'f', len(places), 64)
		}
	}
	if _, err := strconv.ParseUint(value, 10, 64); err == nil && (strings.Contains(like, ",") || len(like) < 4) {
		for at := len(value) - 3; at > 0; at -= 3 {
			value = value[:at] + "," + value[at:]
		}
	}
	return value
}
