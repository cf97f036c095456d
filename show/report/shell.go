package report

import (
	_ "embed"
	"encoding/json"
	"io"
	"strings"

	"motehound/job/document"
)

// Made says what a page is of: which program made it, from which firmware. All pages have it.
type Made struct {
	Motehound string           `json:"motehound"` // the version
	Builds    []document.Built `json:"builds"`
}

// What all pages have in common.
var (
	//go:embed shell.html
	shellHTML string
	//go:embed shared.css
	sharedCSS string
	//go:embed shared.js
	sharedJS string
)

// write writes a page: one file that needs no other. The data is in it as JSON, and the page's script puts it on the screen as text.
func write(to io.Writer, page any, body, css, js string) error {
	// Marshal escapes <, > and &, so that nothing in the data ends the script element or begins another.
	data, err := json.Marshal(page)
	if err != nil {
		return err
	}
	_, err = strings.NewReplacer("/*CSS*/", sharedCSS+css, "/*BODY*/", body, "/*JS*/", sharedJS+js, "/*DATA*/", string(data)).WriteString(to, shellHTML)
	return err
}
