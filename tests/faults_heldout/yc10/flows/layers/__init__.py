from .actnorm import ActNorm
from .coupling import AffineCoupling

__all__ = ["ActNorm", "AffineCoupling"]
