"""The Import / Export arena: the server that referees games, its records and its command line."""
