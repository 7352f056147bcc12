"""What a bot author uses: the Python client, the shipped bots and the stdio bridge."""
