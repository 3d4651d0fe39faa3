"""Condition monitoring for wind turbine gearboxes."""
