from .hooks import Hook, Logger, OptimHook, ScheduleHook
from .loop import Loop
