"""Traces: reading what was recorded, and the quantities that detectors share."""
