"""Shows an AI agent's run in a notebook while it streams, keeps it in the saved file, and hands over its values."""
