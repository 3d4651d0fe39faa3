from .data import load_labelled
from .net import Backbone, MeterReader

__all__ = ["Backbone", "MeterReader", "load_labelled"]
