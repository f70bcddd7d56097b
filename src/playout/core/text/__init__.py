"""Text and code from outside: specs, values of fields, files and plugins of others."""
