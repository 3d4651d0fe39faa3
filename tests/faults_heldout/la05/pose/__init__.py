from .net import HeatmapNet
from .frames import ArmFrames, render_targets
