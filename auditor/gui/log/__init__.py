"""Opening a log: format, columns, rejected rows."""
