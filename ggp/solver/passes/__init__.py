"""Many positions of which no sum is proved to fall: valued pass by pass, without their moves."""
