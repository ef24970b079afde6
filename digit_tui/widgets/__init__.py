"""Small pieces that panes and screens are made of."""
