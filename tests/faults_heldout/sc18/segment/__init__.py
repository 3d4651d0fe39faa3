from .cells import CellImages
from .losses import dice_bce, dice_score
from .unet import TinyUNet
from .weights import AveragedModel
