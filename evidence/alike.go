package evidence

import (
	"reflect"
	"time"
)

// writtenAlike compares values without writing them, for speed: true means that
// nothing would differ in the JSON of both. False means no more than that they have to
// be written to know.
func writtenAlike(a, b reflect.Value) bool {
	if a.Kind() != b.Kind() || a.IsValid() && a.Type() != b.Type() {
		return false
	}
	switch a.Kind() {
	case reflect.Pointer, reflect.Interface:
		if a.IsNil() || b.IsNil() {
			return a.IsNil() && b.IsNil()
		}
		return writtenAlike(a.Elem(), b.Elem())
	case reflect.Slice:
		return a.Len() == b.Len() && elementsAlike(a, b) // no list and an empty one are no difference
	case reflect.Map:
		return mapsAlike(a, b)
	case reflect.Struct:
		return structsAlike(a, b)
	case reflect.String:
		return a.String() == b.String()
	case reflect.Bool:
		return a.Bool() == b.Bool()
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return a.Int() == b.Int()
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return a.Uint() == b.Uint()
	case reflect.Float32, reflect.Float64:
		return a.Float() == b.Float()
	}
	return false
}

func elementsAlike(a, b reflect.Value) bool {
	for i := range a.Len() {
		if !writtenAlike(a.Index(i), b.Index(i)) {
			return false
		}
	}
	return true
}

func mapsAlike(a, b reflect.Value) bool {
	if a.Len() != b.Len() || a.IsNil() != b.IsNil() {
		return false
	}
	for each := a.MapRange(); each.Next(); {
		other := b.MapIndex(each.Key())
		if !other.IsValid() || !writtenAlike(each.Value(), other) {
			return false
		}
	}
	return true
}

var (
	intervalType = reflect.TypeFor[Interval]()
	timeType     = reflect.TypeFor[time.Time]()
)

// structsAlike compares fields; what has a way of its own to be written is compared by
// what that keeps.
func structsAlike(a, b reflect.Value) bool {
	if !a.CanInterface() || !b.CanInterface() {
		return false // a field that is not written
	}
	switch a.Type() {
	case intervalType:
		return a.Interface().(Interval).settled() == b.Interface().(Interval).settled()
	case timeType:
		x, y := a.Interface().(time.Time), b.Interface().(time.Time)
		return x.Round(0) == y.Round(0)
	}
	for i := range a.NumField() {
		if !writtenAlike(a.Field(i), b.Field(i)) {
			return false
		}
	}
	return true
}
