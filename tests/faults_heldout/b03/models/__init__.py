from .mixer import Mixer
