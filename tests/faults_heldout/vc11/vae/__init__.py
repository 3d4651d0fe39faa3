from vae.model import DigitVAE
from vae.objective import elbo_terms
from vae.probe import latent_probe

__all__ = ["DigitVAE", "elbo_terms", "latent_probe"]
