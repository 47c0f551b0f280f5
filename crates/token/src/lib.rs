//! Part of Vault Cortex.
