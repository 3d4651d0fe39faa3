from .model import ConvVAE, elbo_terms
from .images import load_split
