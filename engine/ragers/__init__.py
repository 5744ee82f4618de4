"""Ragers: Champions of the Arena."""
