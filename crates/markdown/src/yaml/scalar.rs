//! What a plain scalar means: the core schema of YAML 1.2.

use serde_json::{Number, Value};

/// The value of an untagged plain scalar.
pub(crate) fn plain(text: &str) -> Value {
    if let Some(value) = null_or_bool(text) {
        return value;
    }
    match integer(text).or_else(|| special(text)).or_else(|| float(text)) {
        Some(value) => value,
        None => Value::String(text.to_owned()),
    }
}

/// Whether an untagged plain scalar is text, in the app too: it has infinities, which are kept as text here.
pub(crate) fn is_text(text: &str) -> bool {
    null_or_bool(text).is_none()
        && integer(text).is_none()
        && special(text).is_none()
        && float(text).is_none()
}

/// The value of a scalar with a tag of the core schema: `None` when the text is not one of that type.
pub(crate) fn tagged(suffix: &str, text: &str) -> Option<Value> {
    match suffix {
        "null" => matches!(text, "" | "~" | "null" | "Null" | "NULL").then_some(Value::Null),
        "bool" => null_or_bool(text).filter(Value::is_boolean),
        "int" => integer(text),
        "float" => special(text).or_else(|| float(text)),
        _ => None,
    }
}

fn null_or_bool(text: &str) -> Option<Value> {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Some(Value::Null),
        "true" | "True" | "TRUE" => Some(Value::Bool(true)),
        "false" | "False" | "FALSE" => Some(Value::Bool(false)),
        _ => None,
    }
}

/// `[-+]?[0-9]+`, `0o[0-7]+`, `0x[0-9a-fA-F]+`. One that fits no integer type becomes a float, as every
/// number is in the app.
fn integer(text: &str) -> Option<Value> {
    let radix = |digits: &str, radix: u32| {
        let valid = !digits.is_empty() && digits.chars().all(|digit| digit.is_digit(radix));
        valid.then(|| match u64::from_str_radix(digits, radix) {
            Ok(value) => Value::from(value),
            Err(_) => number(
                digits
                    .chars()
                    .filter_map(|digit| digit.to_digit(radix))
                    .fold(0.0, |value, digit| value * f64::from(radix) + f64::from(digit)),
            ),
        })
    };
    if let Some(digits) = text.strip_prefix("0o") {
        return radix(digits, 8);
    }
    if let Some(digits) = text.strip_prefix("0x") {
        return radix(digits, 16);
    }
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    if let Ok(value) = text.parse::<i64>() {
        return Some(Value::from(value));
    }
    if let Ok(value) = text.parse::<u64>() {
        return Some(Value::from(value));
    }
    text.parse().ok().map(number)
}

/// Infinities and not-a-number. JSON has none of them: they are kept as text.
fn special(text: &str) -> Option<Value> {
    match text {
        ".nan" | ".NaN" | ".NAN" => Some(Value::from(".nan")),
        _ => match text.strip_prefix(['-', '+']).unwrap_or(text) {
            ".inf" | ".Inf" | ".INF" => {
                Some(Value::from(if text.starts_with('-') { "-.inf" } else { ".inf" }))
            }
            _ => None,
        },
    }
}

/// A decimal number with a dot, an exponent, or both.
fn float(text: &str) -> Option<Value> {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned, None),
    };
    let all_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let valid_exponent = match exponent {
        None => mantissa.contains('.'),
        Some(exponent) => {
            let digits = exponent.strip_prefix(['-', '+']).unwrap_or(exponent);
            !digits.is_empty() && all_digits(digits)
        }
    };
    let valid_mantissa = match mantissa.split_once('.') {
        None => !mantissa.is_empty() && all_digits(mantissa),
        Some(("", fraction)) => !fraction.is_empty() && all_digits(fraction),
        Some((whole, fraction)) => all_digits(whole) && all_digits(fraction),
    };
    if valid_exponent && valid_mantissa { text.parse().ok().map(number) } else { None }
}

/// A float as JSON: whole ones as integers, as JavaScript prints them, and infinity as text.
fn number(value: f64) -> Value {
    const LARGEST_EXACT: f64 = 9_007_199_254_740_992.0;
    if value.fract() == 0.0 && value.abs() < LARGEST_EXACT {
        #[expect(clippy::cast_possible_truncation, reason = "whole and smaller than 2^53")]
        return Value::from(value as i64);
    }
    match Number::from_f64(value) {
        Some(number) => Value::Number(number),
        None => Value::from(if value < 0.0 { "-.inf" } else { ".inf" }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn core_schema() {
        #[track_caller]
        fn check(text: &str, expected: impl Into<Value>) {
            assert_eq!(plain(text), expected.into(), "{text}");
        }
        check("", Value::Null);
        check("tRue", json!("tRue"));
        check("no", json!("no"));
        check("007", json!(7));
        check("+7", json!(7));
        check("0o17", json!(15));
        check("0x1F", json!(31));
        check("0x", json!("0x"));
        check("0b1", json!("0b1"));
        check("1_000", json!("1_000"));
        check("1e3", json!(1000));
        check("1e", json!("1e"));
        check("e3", json!("e3"));
        check(".", json!("."));
        check("-.5", json!(-0.5));
        check("1e999", json!(".inf"));
        check("-0.0", json!(0));
        check("18446744073709551615", json!(18_446_744_073_709_551_615_u64));
        check("99999999999999999999", json!(1e20));
        check("0xffffffffffffffffff", json!(4_722_366_482_869_645_213_696.0));
        check("12:30", json!("12:30"));
        check("2024-01-02", json!("2024-01-02"));
        check("infinity", json!("infinity"));
        check("nan", json!("nan"));
        check("+.inf", json!(".inf"));
    }
}
