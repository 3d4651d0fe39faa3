from .data import WaveformStream
from .meters import Smoothed
from .net import Encoder, MeanTeacher
