from .fields import FourierField
from .options import Options
from .pixels import PixelSampler, load_picture
