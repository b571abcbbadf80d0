"""Small widgets and text formatting that several workspaces use."""
