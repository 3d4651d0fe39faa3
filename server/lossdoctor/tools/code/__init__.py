"""The user's code, read as text and never run: where a value that a finding blames comes from."""
