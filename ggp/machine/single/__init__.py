"""Single states: what every engine answers, and the machine where nets are large."""
