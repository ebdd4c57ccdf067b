package main

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
	"golang.org/x/perf/benchmath"
	"golang.org/x/perf/benchunit"
)

const (
	pageWidth  = 118
	unmeasured = "–"
)

// report writes what was measured and where, two tables, and what follows from them.
func (r *record) report(to io.Writer) error {
	var b strings.Builder
	settings := make([]string, len(r.config))
	for i, s := range r.config {
		settings[i] = s.key + ": " + s.value
	}
	fmt.Fprintf(&b, "%s\n\n", wrap(settings, ", "))

	fmt.Fprintf(&b, "Time for one hash: the median, and how far its %.0f%% interval reaches.\n\n%s\n\n", confidence*100, r.times())
	fmt.Fprintf(&b, "Throughput in MB/s (10⁶ bytes a second), and as a multiple of its platform's first column.\n\n%s\n\n", r.throughputs())
	for _, line := range r.findings() {
		fmt.Fprintln(&b, wrap(strings.Fields(line), " "))
	}
	_, err := io.WriteString(to, b.String())
	return err
}

func (r *record) times() string {
	return r.table(r.sizes, func(_ column, _ int64, s benchmath.Summary) string {
		return fmt.Sprintf("%s ±%s", duration(s.Center), s.PctRangeString())
	})
}

func (r *record) throughputs() string {
	sizes := r.sizes
	if len(sizes) > 0 && sizes[0] == 0 {
		sizes = sizes[1:]
	}
	return r.table(sizes, func(c column, size int64, s benchmath.Summary) string {
		cell := number(float64(size) / s.Center / 1e6)
		if base, ok := r.summary(r.first(c.platform), size); ok {
			cell += fmt.Sprintf(" (%s×)", number(base.Center/s.Center))
		}
		return cell
	})
}

// table has a row for each size and a column for each implementation.
func (r *record) table(sizes []int64, format func(column, int64, benchmath.Summary) string) string {
	t := table.NewWriter()
	style := table.StyleLight
	style.Format.Header = text.FormatDefault
	style.Options = table.Options{SeparateHeader: true}
	t.SetStyle(style)
	t.SuppressTrailingSpaces()
	header := table.Row{"input"}
	aligned := []table.ColumnConfig{{Number: 1, Align: text.AlignRight, AlignHeader: text.AlignRight}}
	for i, c := range r.columns {
		header = append(header, c.String())
		aligned = append(aligned, table.ColumnConfig{Number: i + 2, Align: text.AlignRight, AlignHeader: text.AlignRight})
	}
	t.AppendHeader(header)
	t.SetColumnConfigs(aligned)
	for _, size := range sizes {
		row := table.Row{bytesText(size)}
		for _, c := range r.columns {
			cell := unmeasured
			if s, ok := r.summary(c, size); ok {
				cell = format(c, size, s)
			}
			row = append(row, cell)
		}
		t.AppendRow(row)
	}
	return t.Render()
}

// first returns the platform's first column.
func (r *record) first(platform string) column {
	for _, c := range r.columns {
		if c.platform == platform {
			return c
		}
	}
	return column{}
}

// duration formats seconds with three significant digits.
func duration(seconds float64) string {
	scale := benchunit.CommonScale([]float64{seconds}, benchunit.Decimal)
	digits := strconv.FormatFloat(seconds/scale.Factor, 'f', max(0, scale.Prec-1), 64)
	return digits + " " + scale.Prefix + "s"
}

// number formats x > 0 with three significant digits, or all that are before the point.
func number(x float64) string {
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'e', 2, 64), 64)
	return strconv.FormatFloat(x, 'f', max(0, 2-int(math.Floor(math.Log10(rounded)))), 64)
}

// wrap joins parts to lines of at most pageWidth characters, if no part is longer.
func wrap(parts []string, separator string) string {
	var lines []string
	line := ""
	for i, part := range parts {
		longer := line + separator + part
		switch {
		case i == 0:
			line = part
		case utf8.RuneCountInString(longer) < pageWidth:
			line = longer
		default:
			lines = append(lines, line+strings.TrimRight(separator, " "))
			line = part
		}
	}
	return strings.Join(append(lines, line), "\n")
}

// bytesText formats a number of bytes exactly, with the largest binary prefix that leaves a whole number.
func bytesText(n int64) string {
	for _, unit := range []string{"B", "KiB", "MiB"} {
		if n == 0 || n%1024 != 0 {
			return fmt.Sprintf("%d %s", n, unit)
		}
		n /= 1024
	}
	return fmt.Sprintf("%d GiB", n)
}
