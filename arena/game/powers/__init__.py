"""The contract powers."""
