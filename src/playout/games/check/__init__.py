"""What tests rules: laws, indices, texts, hidden information, estimates."""
