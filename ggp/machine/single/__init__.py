"""Single states: gate by gate as the definition says, and by the machine where nets are large."""
