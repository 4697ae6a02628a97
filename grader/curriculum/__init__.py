"""TRUSTED. A course as read from its folder. No code here knows the name of a phase."""
