"""What play never changes, or only lets fall: sums, rankings, step counters."""
