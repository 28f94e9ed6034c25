package flow

// complement withholds more cells of a matrix, so that none of those withheld can be
// told from the sum of a row or column that is known elsewhere: wherever a row or a
// column has one withheld cell alone, the smallest of its others goes too, until none
// has. (Complementary cell suppression: Willenborg and de Waal, Elements of Statistical
// Disclosure Control, Springer 2001, chapter 3. That each line has two or more withheld
// cells keeps values from being computed exactly, not from being bounded.) A line whose
// only cell is withheld is left as it is: its sum must be withheld as well.
func complement[K comparable](n int, at func(i int) (row, column K), count func(i int) *Count) {
	for again := true; again; {
		again = false
		for axis := range 2 {
			alone := map[K]int{} // withheld cells by line
			least := map[K]int{} // the smallest that is told, by line
			for i := range n {
				row, column := at(i)
				line := [2]K{row, column}[axis]
				if count(i).Withheld {
					alone[line]++
				} else if k, ok := least[line]; !ok || count(i).Mean < count(k).Mean {
					least[line] = i
				}
			}
			for line, withheldCells := range alone {
				if k, ok := least[line]; ok && withheldCells == 1 && !count(k).Withheld {
					*count(k) = withheld()
					again = true
				}
			}
		}
	}
}
