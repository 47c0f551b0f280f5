//! How many connections each address has.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, PoisonError};

/// The addresses that are connected.
#[derive(Debug, Clone, Default)]
pub(super) struct Peers(Arc<Mutex<HashMap<IpAddr, usize>>>);

/// One connection's place among those of its address, given back when it is dropped.
#[derive(Debug)]
pub(super) struct Seat {
    peers: Peers,
    peer: IpAddr,
}

impl Peers {
    /// A place for one more connection of this address, unless it has `most` already; `most_near` if it is
    /// an address of this machine or of a private network.
    pub(super) fn seat(&self, peer: IpAddr, most: usize, most_near: usize) -> Option<Seat> {
        let peer = counted_as(peer);
        let most = if is_near(peer) { most_near } else { most };
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.entry(peer).or_insert(0);
        if *count >= most {
            return None;
        }
        *count += 1;
        Some(Seat { peers: self.clone(), peer })
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut counts = self.peers.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = counts.get_mut(&self.peer) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.peer);
            }
        }
    }
}

/// IPv6 networks are given out to one customer by /64 at least: all of one are one address.
fn counted_as(peer: IpAddr) -> IpAddr {
    match peer.to_canonical() {
        IpAddr::V6(address) if !is_near(IpAddr::V6(address)) => {
            IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() >> 64 << 64))
        }
        address => address,
    }
}

/// Whether it is an address of this machine or of a private network.
fn is_near(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => address.is_loopback() || address.is_private() || address.is_link_local(),
        IpAddr::V6(address) => {
            address.is_loopback() || address.is_unique_local() || address.is_unicast_link_local()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn seats(addresses: &[&str]) -> usize {
        let peers = Peers::default();
        let seats: Vec<_> =
            addresses.iter().cycle().take(20).map(|one| peers.seat(one.parse().unwrap(), 2, 5)).collect();
        let taken = seats.iter().flatten().count();
        drop(seats);
        assert!(peers.0.lock().unwrap().is_empty(), "all are given back");
        taken
    }

    #[test]
    fn each_address_has_so_many_and_near_ones_more() {
        assert_eq!(seats(&["203.0.113.7"]), 2);
        assert_eq!(seats(&["203.0.113.7", "203.0.113.8"]), 4);
        assert_eq!(seats(&["::ffff:203.0.113.7", "203.0.113.7"]), 2, "the same address");
        assert_eq!(seats(&["2001:db8::1", "2001:db8::ffff:2"]), 2, "one network of one customer");
        assert_eq!(seats(&["2001:db8::1", "2001:db8:0:1::1"]), 4);
        for near in
            ["127.0.0.1", "10.0.0.1", "172.17.0.1", "192.168.1.1", "::1", "fd00::1", "::ffff:10.0.0.1"]
        {
            assert_eq!(seats(&[near]), 5, "{near}");
        }
    }
}
