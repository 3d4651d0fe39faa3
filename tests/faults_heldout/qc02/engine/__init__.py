from .hooks import Hook, LogHook, OptimizerHook
from .runner import Runner
