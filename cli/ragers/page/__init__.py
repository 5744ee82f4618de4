"""The report page: stored answers as one HTML file that needs no network (extra `report`)."""
