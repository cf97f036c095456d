package workbench

import (
	"encoding"
	"encoding/json"
	"reflect"
	"regexp"
	"strings"
	"time"

	"motehound/job/document"
)

// object is a part of the description.
type object = map[string]any

// openAPI describes the routes. Schemas are made of the types that are read and written, so that they cannot differ from them.
func openAPI() object {
	s := schemas{object{}}
	paths := object{}
	for _, r := range routes() {
		p, ok := paths[r.path].(object)
		if !ok {
			p = object{}
			paths[r.path] = p
		}
		p[strings.ToLower(r.method)] = s.operation(&r)
	}
	for _, c := range commands() { // what Asked has as its request
		s.of(reflect.TypeOf(c.usual))
	}
	s.of(reflect.TypeFor[decodedDoc]()) // the page of a job of trace
	return object{
		"openapi": "3.1.0",
		"info": object{"title": "Motehound's workbench", "version": "1",
			"description": "What the page of motehound serve asks. The token is sent as Authorization: Bearer TOKEN, or as the cookie that the printed address sets. The request of a job is Check, Request (of hunt), Fuzz, Symbolic, Mine, ModelMine, ModelVerify, FieldTrace or Run: docs/go.md."},
		"paths":      paths,
		"components": object{"schemas": s.all, "securitySchemes": object{"token": object{"type": "http", "scheme": "bearer"}}},
		"security":   []object{{"token": []string{}}},
	}
}

var inPath = regexp.MustCompile(`\{(\w+)\}`)

func (s *schemas) operation(r *route) object {
	parameters := []object{}
	for _, m := range inPath.FindAllStringSubmatch(r.path, -1) {
		parameters = append(parameters, object{"name": m[1], "in": "path", "required": true, "schema": object{"type": "string"}})
	}
	for _, q := range r.query {
		parameters = append(parameters, object{"name": q.name, "in": "query", "description": q.about, "required": q.required, "schema": object{"type": "string"}})
	}
	media := mediaJSON
	if r.stream != nil {
		media = "text/event-stream"
	}
	op := object{"summary": r.about, "parameters": parameters, "responses": object{
		"200":     object{"description": "done", "content": object{media: object{"schema": s.of(reflect.TypeOf(r.out))}}},
		"default": object{"description": "what is wrong, and what to do", "content": object{mediaJSON: object{"schema": s.of(reflect.TypeFor[refusedDoc]())}}},
	}}
	if r.in != nil {
		body := s.of(reflect.TypeOf(r.in))
		if r.media() == mediaBytes {
			body = object{"type": "string", "format": "binary"}
		}
		op["requestBody"] = object{"required": true, "content": object{r.media(): object{"schema": body}}}
	}
	return op
}

// schemas are those of named types.
type schemas struct{ all object }

func (s *schemas) of(t reflect.Type) object {
	switch t {
	case reflect.TypeFor[json.RawMessage](), reflect.TypeFor[anyDoc]():
		return object{"type": "object"}
	case reflect.TypeFor[time.Time]():
		return object{"type": "string", "format": "date-time"}
	case reflect.TypeFor[document.Moment]():
		return object{"type": "string", "pattern": `^([0-9]+|e[0-9]+(\.[0-9]+)?)$`}
	}
	if t.Implements(reflect.TypeFor[encoding.TextMarshaler]()) {
		return object{"type": "string"}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return s.of(t.Elem())
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.String:
		return object{"type": "string"}
	case reflect.Float32, reflect.Float64:
		return object{"type": "number"}
	case reflect.Slice, reflect.Array:
		return object{"type": "array", "items": s.of(t.Elem())}
	case reflect.Map:
		return object{"type": "object", "additionalProperties": s.of(t.Elem())}
	case reflect.Struct:
		return s.named(t)
	}
	return object{"type": "integer"}
}

func (s *schemas) named(t reflect.Type) object {
	name := strings.TrimSuffix(t.Name(), "Doc") // as those of this package are called
	name = strings.ToUpper(name[:1]) + name[1:]
	ref := object{"$ref": "#/components/schemas/" + name}
	if _, known := s.all[name]; known {
		return ref
	}
	properties, required := object{}, []string{}
	s.all[name] = object{} // it may have itself in it
	s.fields(t, properties, &required)
	s.all[name] = object{"type": "object", "properties": properties, "required": required, "additionalProperties": false}
	return ref
}

func (s *schemas) fields(t reflect.Type, properties object, required *[]string) {
	for f := range t.Fields() {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "":
			s.fields(f.Type, properties, required)
		case !f.IsExported() || name == "-":
		default:
			properties[name] = s.of(f.Type)
			if !strings.Contains(options, "omitempty") {
				*required = append(*required, name)
			}
		}
	}
}
