//! Bearer tokens: reading them from a header and comparing them, shared by the edge and the host.
//! No network, no clock.
