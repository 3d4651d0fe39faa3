from .factory import create_optimizer

__all__ = ["create_optimizer"]
