"""One fault per file: docstring page, ``RULE``, named thresholds with their source, and ``check(trace)``."""
