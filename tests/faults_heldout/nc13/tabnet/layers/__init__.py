from .residual import GatedResidual, Residual

BLOCKS = {"residual": Residual, "gated": GatedResidual}
