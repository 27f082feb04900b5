// Package redis looks at one Redis server without touching it.
//
// Reading and parsing stand apart. A [Client] sends pipelines from one table of
// commands ([Allowed]) and returns each as an [Exchange]: the bytes as they
// came, when, and how it ended. The Parse functions are pure and work from
// those bytes alone, so a frozen bundle parses the same way a live server does.
// What concerns nobody's lock is masked before an Exchange is stored.
package redis
