package main

import (
	"fmt"
	"strings"

	"golang.org/x/perf/benchmath"
)

// The implementation whose place among the others is asked for. Others of this prefix are it by other means, and compared with it.
const (
	subject       = "wasm"
	subjectPrefix = subject + "-"
)

// findings returns sentences: where WebAssembly is ahead and where behind on each platform, and what was not measured.
func (r *record) findings() []string {
	var lines []string
	for _, c := range r.columns {
		wasm := column{c.platform, subject}
		switch {
		case c == wasm:
		case strings.HasPrefix(c.impl, subjectPrefix):
			lines = append(lines, r.compare(c, wasm)...)
		default:
			lines = append(lines, r.compare(wasm, c)...)
		}
	}
	for _, c := range r.columns {
		lines = append(lines, r.gaps(c)...)
	}
	return lines
}

type verdict int

const (
	even verdict = iota // no difference at the 5 % level of the Mann-Whitney U test
	ahead
	behind
)

// A stretch is successive measured sizes with one verdict.
type stretch struct {
	verdict
	from, to    int64
	least, most float64 // time of the slower as a multiple of the faster's
}

// stretches compares a's times with b's at the sizes that both have.
func (r *record) stretches(a, b column) []stretch {
	var all []stretch
	for _, size := range r.sizes {
		sa, sb := r.samples[cell{a, size}], r.samples[cell{b, size}]
		if sa == nil || sb == nil {
			continue
		}
		ca, _ := r.summary(a, size)
		cb, _ := r.summary(b, size)
		factor := max(ca.Center/cb.Center, cb.Center/ca.Center)
		v := even
		if test := benchmath.AssumeNothing.Compare(sa, sb); test.P < test.Alpha {
			v = ahead
			if ca.Center > cb.Center {
				v = behind
			}
		}
		if last := len(all) - 1; last >= 0 && all[last].verdict == v {
			s := &all[last]
			s.to, s.least, s.most = size, min(s.least, factor), max(s.most, factor)
		} else {
			all = append(all, stretch{v, size, size, factor, factor})
		}
	}
	return all
}

// crossovers returns the brackets of measured sizes in which ahead becomes behind, or the other way round.
func crossovers(all []stretch) [][2]int64 {
	var brackets [][2]int64
	var last *stretch
	for i := range all {
		if all[i].verdict == even {
			continue
		}
		if last != nil && last.verdict != all[i].verdict {
			brackets = append(brackets, [2]int64{last.to, all[i].from})
		}
		last = &all[i]
	}
	return brackets
}

// compare says where a is ahead of b and where behind, or nothing when they have no size in common.
func (r *record) compare(a, b column) []string {
	all := r.stretches(a, b)
	if len(all) == 0 {
		return nil
	}
	clauses := make([]string, len(all))
	for i, s := range all {
		where := sizeRange(s.from, s.to)
		factors := number(s.least)
		if most := number(s.most); most != factors {
			factors += " to " + most
		}
		switch s.verdict {
		case ahead:
			clauses[i] = fmt.Sprintf("ahead %s, %s times as fast", where, factors)
		case behind:
			clauses[i] = fmt.Sprintf("behind %s, taking %s times as long", where, factors)
		case even:
			clauses[i] = fmt.Sprintf("no difference shown %s", where)
		}
	}
	crossing := "none found"
	if brackets := crossovers(all); brackets != nil {
		texts := make([]string, len(brackets))
		for i, b := range brackets {
			texts[i] = fmt.Sprintf("between %s and %s", bytesText(b[0]), bytesText(b[1]))
		}
		crossing = strings.Join(texts, ", ")
	}
	return []string{fmt.Sprintf("%s against %s: %s. Crossover: %s.", a, b, strings.Join(clauses, "; "), crossing)}
}

// gaps says which of a column's cells are empty, and what the largest input would have taken where it was left out for its size.
func (r *record) gaps(c column) []string {
	var measured, between int64 = -1, 0
	var missing []string
	for _, size := range r.sizes {
		if _, ok := r.samples[cell{c, size}]; ok {
			measured, between = size, int64(len(missing))
		} else {
			missing = append(missing, bytesText(size))
		}
	}
	var lines []string
	if between > 0 {
		lines = append(lines, fmt.Sprintf("%s %s at %s: no sample in the record.", unmeasured, c, strings.Join(missing[:between], ", ")))
	}
	if largest := r.sizes[len(r.sizes)-1]; measured < largest {
		s, _ := r.summary(c, measured)
		lines = append(lines, fmt.Sprintf("%s %s is left out above %s: at its speed there, one hash of %s would take %s.",
			unmeasured, c, bytesText(measured), bytesText(largest), duration(s.Center/float64(max(1, measured))*float64(largest))))
	}
	return lines
}

func sizeRange(from, to int64) string {
	if from == to {
		return "at " + bytesText(from)
	}
	return "from " + bytesText(from) + " to " + bytesText(to)
}
