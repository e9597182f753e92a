package dump

import (
	"bytes"
	_ "embed"
	"html/template"
	"path/filepath"
	"regexp"
	"strings"
)

//go:embed page.html
var pageText string

var page = template.Must(template.New("page").Parse(pageText))

// A pageStep is a frame as the page shows it.
type pageStep struct {
	*frame
	Heading string
	Picture template.HTML
}

func (w *Walker) writeHTML(b *bytes.Buffer, svgs [][]byte) error {
	steps := make([]pageStep, len(w.frames))
	for i := range w.frames {
		f := &w.frames[i]
		steps[i] = pageStep{frame: f, Heading: f.heading()}
		if svgs != nil {
			steps[i].Picture = template.HTML(inline(svgs[i]))
		}
	}
	return page.Execute(b, struct {
		Title    string
		Lines    []string
		Pictures bool
		Steps    []pageStep
	}{w.title(filepath.Base(w.file.Name)), strings.Split(strings.TrimRight(printable(w.file.Text), "\n"), "\n"), svgs != nil, steps})
}

// svgIDs are the names of elements, which would not be unique in a page of many pictures.
var svgIDs = regexp.MustCompile(` id="[^"]*"`)

// inline makes a part of a page from an SVG document: without the heading of a document.
func inline(svg []byte) []byte {
	if i := bytes.Index(svg, []byte("<svg")); i >= 0 {
		svg = svg[i:]
	}
	return svgIDs.ReplaceAll(svg, nil)
}
