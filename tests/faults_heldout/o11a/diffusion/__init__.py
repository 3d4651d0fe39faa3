from .ema import EMA
from .process import GaussianDiffusion
from .denoiser import Denoiser

__all__ = ["EMA", "GaussianDiffusion", "Denoiser"]
