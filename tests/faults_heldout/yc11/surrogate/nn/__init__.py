from .builder import build

__all__ = ["build"]
