from .layers import MoEClassifier, SwitchFFN  # noqa: F401
