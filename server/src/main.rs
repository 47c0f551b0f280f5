//! Vault Cortex.
fn main() {}
