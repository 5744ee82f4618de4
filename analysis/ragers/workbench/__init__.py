"""The balance workbench: what answers say about rules, habits and variants."""
