from gearmon.models.mlp import ConditionMLP

__all__ = ["ConditionMLP"]
