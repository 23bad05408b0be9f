"""What moves do on every board, as functions of the board; parts of boards, and sums of them."""
