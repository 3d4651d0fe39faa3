PIXEL_SD = 0.15      # of the decoder's normal distribution


def elbo_terms(x_hat, x, mu, logvar):
    """Reconstruction (up to its constant) and divergence, in nats per image."""
    rec = (0.5 * ((x_hat - x) / PIXEL_SD) ** 2).sum(1).mean()
    kl = 0.5 * (mu ** 2 + logvar.exp() - 1 - logvar).sum(1).mean()
    return rec, kl
