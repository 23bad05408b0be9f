"""Many positions: kept packed, in layers, without the moves between them."""
