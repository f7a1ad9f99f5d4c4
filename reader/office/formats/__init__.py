"""Values of cells as a sheet shows them: number formats of ECMA-376 part 1, 18.8.31, and what programs make of them."""
