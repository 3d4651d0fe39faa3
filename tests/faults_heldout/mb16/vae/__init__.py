from .nets import DigitVAE
from .objective import elbo_terms
