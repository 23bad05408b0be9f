"""What runs circuits: numpy, an interpreter that numba compiles, machine code by LLVM; and the
reference engine, which runs a net by its definition."""
