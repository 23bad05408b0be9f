"""What runs circuits: numpy, an interpreter that numba compiles, machine code by LLVM."""
