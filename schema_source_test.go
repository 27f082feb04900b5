package main

import (
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A word is one of the values a type of words can have.
type word struct {
	value any // a string or an int64
	means string
}

// goSource is what Go files say of their types and reflection cannot tell.
type goSource struct {
	docs  map[string]string // of a type, or of Type.Field
	words map[string][]word // the constants of a type, in the order of the source
}

func readSource(t testing.TB, folder string) goSource {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no Go files in %q: %v", folder, err)
	}
	set := token.NewFileSet()
	var files []*ast.File
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") && folder != "." {
			continue
		}
		f, err := parser.ParseFile(set, path, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	// Imports stay unresolved, for speed: constants need none.
	info := types.Info{Defs: map[*ast.Ident]types.Object{}}
	lenient := types.Config{Error: func(error) {}, IgnoreFuncBodies: true}
	_, _ = lenient.Check(folder, set, files, &info)
	s := goSource{docs: map[string]string{}, words: map[string][]word{}}
	for _, f := range files {
		for _, d := range f.Decls {
			if g, ok := d.(*ast.GenDecl); ok {
				s.declared(g, info)
			}
		}
	}
	return s
}

func (s goSource) declared(g *ast.GenDecl, info types.Info) {
	for _, spec := range g.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			doc := spec.Doc
			if doc == nil {
				doc = g.Doc
			}
			s.docs[spec.Name.Name] = prose(doc)
			s.fields(spec)
		case *ast.ValueSpec:
			for _, name := range spec.Names {
				s.constant(info.Defs[name], prose(spec.Comment))
			}
		}
	}
}

func (s goSource) fields(spec *ast.TypeSpec) {
	of, ok := spec.Type.(*ast.StructType)
	if !ok {
		return
	}
	for _, f := range of.Fields.List {
		says := prose(f.Comment)
		if says == "" {
			says = prose(f.Doc)
		}
		for _, name := range f.Names {
			s.docs[spec.Name.Name+"."+name.Name] = says
		}
	}
}

func (s goSource) constant(o types.Object, means string) {
	c, ok := o.(*types.Const)
	if !ok {
		return
	}
	named, ok := c.Type().(*types.Named)
	if !ok {
		return
	}
	w := word{means: means}
	switch c.Val().Kind() {
	case constant.String:
		w.value = constant.StringVal(c.Val())
	case constant.Int:
		w.value, _ = constant.Int64Val(c.Val())
		w.means = strings.TrimSuffix(c.Name()+", "+means, ", ") // a number says nothing by itself
	default:
		return
	}
	of := named.Obj().Name()
	s.words[of] = append(s.words[of], w)
}

var docLink = regexp.MustCompile(`\[([A-Z]\w*)\]`)

// prose is a comment as one paragraph.
func prose(c *ast.CommentGroup) string {
	return docLink.ReplaceAllString(strings.Join(strings.Fields(c.Text()), " "), "$1")
}
