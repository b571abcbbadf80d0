"""Pictures of the window in every state; ``python -m tests.screenshots`` retakes them."""
