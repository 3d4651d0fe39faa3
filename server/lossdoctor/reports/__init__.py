"""Reports: a diagnosis made readable. Pure functions; nothing here measures or decides."""
