from .kernels import Periodic, Rbf, Sum, Product
from .exact import ExactGP
