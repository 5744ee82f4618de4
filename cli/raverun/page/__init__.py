"""The report page: what the other commands wrote as one HTML file that needs no network (extra `report`)."""
