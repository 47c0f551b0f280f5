//! Numbers in as few bytes as they need: seven bits a byte, lowest first.

/// Appends a number.
pub(crate) fn write(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        bytes.push((number as u8 & 0x7f) | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Takes a number off the front; `None` when the bytes end inside it or it has more than 32 bits.
#[inline]
pub(crate) fn read(bytes: &mut &[u8]) -> Option<u32> {
    let (first, rest) = bytes.split_first()?;
    if *first < 0x80 {
        *bytes = rest;
        return Some(u32::from(*first));
    }
    let mut number = u32::from(*first & 0x7f);
    let mut left = rest;
    for shift in [7, 14, 21, 28] {
        let (byte, rest) = left.split_first()?;
        let part = u32::from(*byte & 0x7f);
        left = rest;
        if shift == 28 && part > 0xf {
            return None;
        }
        number |= part << shift;
        if *byte < 0x80 {
            *bytes = left;
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        let numbers = [0, 1, 127, 128, 300, 16_383, 16_384, 1 << 21, 1 << 28, u32::MAX];
        let mut bytes = Vec::new();
        for number in numbers {
            write(&mut bytes, number);
        }
        let mut rest = bytes.as_slice();
        for number in numbers {
            assert_eq!(read(&mut rest), Some(number));
        }
        assert_eq!(read(&mut rest), None);
    }

    #[test]
    fn damage_is_seen() {
        for bytes in [&[0x80][..], &[0xff, 0xff], &[0xff; 6], &[0xff, 0xff, 0xff, 0xff, 0x1f]] {
            assert_eq!(read(&mut &*bytes), None);
        }
    }
}
