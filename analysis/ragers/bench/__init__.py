"""What ``ragers bench`` measures and reports."""
