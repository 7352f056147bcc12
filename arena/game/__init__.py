"""The rules of Import / Export: pure, no I/O, no clock."""
