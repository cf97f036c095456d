package document_test

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"motehound/job/document"
)

// Every field of what is told of a race is in docs/json.md.
func TestRaceIsDocumented(t *testing.T) {
	docs, err := os.ReadFile(filepath.Join("..", "..", "docs", "json.md"))
	if err != nil {
		t.Fatal(err)
	}
	var walk func(x reflect.Type)
	walk = func(x reflect.Type) {
		for x.Kind() == reflect.Pointer || x.Kind() == reflect.Slice {
			x = x.Elem()
		}
		if x.Kind() != reflect.Struct {
			return
		}
		for i := range x.NumField() {
			f := x.Field(i)
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if name != "" && !strings.Contains(string(docs), "`"+name+"`") {
				t.Errorf("docs/json.md does not tell of %v.%s, `%s`", x, f.Name, name)
			}
			walk(f.Type)
		}
	}
	walk(reflect.TypeFor[document.Race]())
}
