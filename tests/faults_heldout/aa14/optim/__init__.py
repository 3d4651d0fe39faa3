from .lean_adamw import LeanAdamW
