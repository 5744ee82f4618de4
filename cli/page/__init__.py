"""What the report pages of all games share: layout, style, script, charts (extra `report`)."""
