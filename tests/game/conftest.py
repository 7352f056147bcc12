"""Being here, this file puts `table` on the path of the tests in this folder and below it."""
