"""The application window: layout, navigation, status, translation."""
