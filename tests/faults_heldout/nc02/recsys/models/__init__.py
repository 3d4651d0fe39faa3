from . import factorization, neural  # noqa: F401  (fills the registry)
