"""Random play by the thousand, and the slow playouts that it is held against."""
