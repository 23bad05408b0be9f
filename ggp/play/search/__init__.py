"""Monte-Carlo tree search: many descents at once, on the machine's lanes."""
