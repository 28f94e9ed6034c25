package write

import (
	"fmt"
	"io"

	"github.com/xuri/excelize/v2"

	"retrace/internal/sheet"
)

// workbook writes a table as an Excel workbook of three sheets: the table with its
// head frozen, what its columns mean with the sums of those that can be summed, and
// where all comes from. Geometries are left out.
type workbook struct {
	w     io.Writer
	file  *excelize.File
	rows  *excelize.StreamWriter
	table spec
	about About
	n     int // rows, the head among them
}

// mostSheetRows is how many rows a sheet has room for.
const mostSheetRows = 1_048_576

func newWorkbook(w io.Writer, table spec, about About) (*workbook, error) {
	b := &workbook{w: w, file: excelize.NewFile(), table: table, about: about, n: 1}
	name := string(table.Layer)
	if err := b.file.SetSheetName("Sheet1", name); err != nil {
		return nil, err
	}
	var err error
	if b.rows, err = b.file.NewStreamWriter(name); err != nil {
		return nil, err
	}
	if err := b.rows.SetPanes(&excelize.Panes{Freeze: true, YSplit: 1, TopLeftCell: "A2", ActivePane: "bottomLeft"}); err != nil {
		return nil, err
	}
	bold, err := b.file.NewStyle(&excelize.Style{Font: &excelize.Font{Bold: true}})
	if err != nil {
		return nil, err
	}
	var head []any
	for _, c := range table.columns {
		head = append(head, excelize.Cell{StyleID: bold, Value: c.name})
	}
	return b, b.rows.SetRow("A1", head)
}

func (b *workbook) add(_ Layer, r row) error {
	if b.n++; b.n > mostSheetRows {
		return fmt.Errorf("an Excel sheet has room for %d rows: write another format, or ask for less", mostSheetRows-1)
	}
	cells := make([]any, len(r.values))
	for i, v := range r.values {
		switch {
		case empty(v):
		case b.table.columns[i].kind == instant:
			cells[i] = string(appendTime(nil, v.(int64)))
		case b.table.columns[i].kind == words:
			cells[i] = sheet.Cell(v.(string))
		default:
			cells[i] = v
		}
	}
	return b.rows.SetRow(fmt.Sprintf("A%d", b.n), cells)
}

// finish adds the other sheets.
func (b *workbook) finish() error {
	defer b.abort()
	if err := b.rows.Flush(); err != nil {
		return err
	}
	lines := [][]any{{"column", "means", "sum"}}
	for i, c := range b.table.columns {
		lines = append(lines, []any{c.name, c.means, b.sum(i)})
	}
	if err := b.sheet("columns", lines); err != nil {
		return err
	}
	lines = [][]any{{"about", b.table.describe()}}
	for _, m := range b.about.Members() {
		lines = append(lines, []any{m[0], sheet.Cell(m[1])})
	}
	if err := b.sheet("about", lines); err != nil {
		return err
	}
	return b.file.Write(b.w)
}

// formula is a cell that is computed.
type formula string

// sum is the formula for the sum of a column; nil where it has none.
func (b *workbook) sum(i int) any {
	column, err := excelize.ColumnNumberToName(i + 1)
	if err != nil || !b.table.columns[i].sums || b.n < 2 {
		return nil
	}
	return formula(fmt.Sprintf("SUM('%s'!%s2:%s%d)", b.table.Layer, column, column, b.n))
}

// sheet adds a small sheet.
func (b *workbook) sheet(name string, lines [][]any) error {
	if _, err := b.file.NewSheet(name); err != nil {
		return err
	}
	for y, line := range lines {
		for x, v := range line {
			at, err := excelize.CoordinatesToCellName(x+1, y+1)
			if err != nil {
				return err
			}
			if f, ok := v.(formula); ok {
				err = b.file.SetCellFormula(name, at, string(f))
			} else {
				err = b.file.SetCellValue(name, at, v)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

func (b *workbook) abort() { _ = b.file.Close() }
