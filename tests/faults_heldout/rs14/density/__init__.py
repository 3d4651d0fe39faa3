from .flow import CouplingFlow

__all__ = ["CouplingFlow"]
