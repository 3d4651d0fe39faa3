"""lossdoctor: measures a training run before it advises."""

__version__ = "0.1.0"
