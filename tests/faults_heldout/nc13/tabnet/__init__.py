from .model import ResidualTabNet, TabConfig

__all__ = ["ResidualTabNet", "TabConfig"]
