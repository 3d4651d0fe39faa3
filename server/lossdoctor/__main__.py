"""``python -m lossdoctor`` is the same as ``lossdoctor``."""

from .cli import main

if __name__ == "__main__":
    raise SystemExit(main())
