from .averaging import WeightAverage
from .network import Denoiser
from .noise import perturb, weighting

__all__ = ["WeightAverage", "Denoiser", "perturb", "weighting"]
