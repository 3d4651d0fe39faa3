from .coupling import RealNVP
from .precision import prepare
