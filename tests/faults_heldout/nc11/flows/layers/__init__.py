from .coupling import AdditiveCoupling, AffineCoupling

COUPLINGS = {"affine": AffineCoupling, "additive": AdditiveCoupling}
