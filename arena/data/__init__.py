"""The game's data: the house catalogue of card faces and the texts of the powers."""
