"""Digit reader for the postcode boxes of the parcel labels."""
