from .events import EVENTS, STATES, EventLog, collate

__all__ = ["EVENTS", "STATES", "EventLog", "collate"]
