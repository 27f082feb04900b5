package service

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Limits of a text of YAML. Its parser spends a hundred bytes of memory on one
// of text, and compares the keys of a mapping each with each.
const (
	maxYAML = 2 << 20
	maxKeys = 1000
)

// decode reads JSON or YAML, whichever it is.
func decode(name string, b []byte, into any) error {
	if err := bounded(name, b); err != nil {
		return err
	}
	var err error
	if text := strings.TrimSpace(string(b[:min(len(b), 64)])); strings.HasPrefix(text, "{") {
		err = json.Unmarshal(b, into)
	} else {
		err = decodeYAML(b, into)
	}
	if err != nil {
		return fmt.Errorf("parse %s: %w", name, err)
	}
	return nil
}

// decodeYAML builds the tree first, to see whether it is worth decoding.
func decodeYAML(b []byte, into any) error {
	if len(b) > maxYAML {
		return fmt.Errorf("%d bytes are more than the %d of YAML it may have", len(b), maxYAML)
	}
	var tree yaml.Node
	if err := yaml.Unmarshal(b, &tree); err != nil {
		return err
	}
	if err := modest(&tree); err != nil {
		return err
	}
	return tree.Decode(into)
}

// modest refuses what no tool prints of a cluster and what costs more than its
// length: mappings of thousands of keys, and references.
func modest(n *yaml.Node) error {
	switch {
	case n.Kind == yaml.AliasNode:
		return errors.New("a reference in YAML")
	case n.Kind == yaml.MappingNode && len(n.Content) > 2*maxKeys:
		return fmt.Errorf("a mapping of %d keys", len(n.Content)/2)
	}
	for _, child := range n.Content {
		if err := modest(child); err != nil {
			return err
		}
	}
	return nil
}
