//go:build race

package blake3

// RaceEnabled tells that the race detector is on: the interpreter is some ten times slower then, and pools drop what they are given.
const RaceEnabled = true
