//! What arguments are taken and what is said of the others.

use schemars::JsonSchema;
use serde_json::{Value, json};

use super::arguments::Shape;
use super::clearable::Clearable;
use super::schema::{Direction, of};

#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct Bounds {
    before: Option<String>,
    on: Option<String>,
}

#[derive(JsonSchema)]
#[serde(rename_all = "snake_case")]
#[expect(dead_code, reason = "only its schema is used")]
enum SortBy {
    Created,
    Modified,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct Filters {
    tags: Option<Vec<String>>,
    created: Option<Bounds>,
    properties: Option<std::collections::BTreeMap<String, Scalar>>,
}

#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its schema is used")]
enum Scalar {
    Text(String),
    Number(f64),
    Flag(bool),
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct Arguments {
    #[schemars(length(max = 12))]
    query: String,
    filters: Option<Filters>,
    #[schemars(range(min = 1, max = 50))]
    limit: Option<u32>,
    exact: Option<bool>,
    sort_by: Option<SortBy>,
    #[serde(default)]
    due: Clearable<String>,
}

fn check(arguments: Value) -> Result<Value, String> {
    let shape = Shape::read(&of::<Arguments>(Direction::Input));
    let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
    shape.check(Some(arguments)).map_err(|error| error.to_string())
}

#[track_caller]
fn taken(arguments: Value, expected: Value) {
    assert_eq!(check(arguments), Ok(expected));
}

#[track_caller]
fn refused(arguments: Value, message: &str) {
    assert_eq!(check(arguments), Err(message.to_owned()));
}

#[test]
fn digits_in_text_are_numbers() {
    taken(json!({"query": "a", "limit": "5"}), json!({"query": "a", "limit": 5}));
    taken(json!({"query": "a", "limit": 5.0}), json!({"query": "a", "limit": 5}));
    refused(
        json!({"query": "a", "limit": "five"}),
        "argument limit is \"five\": allowed is a whole number from 1 to 50",
    );
}

#[test]
fn numbers_out_of_range_and_fractions_are_refused() {
    for (limit, shown) in [
        (json!(0), "0"),
        (json!(51), "51"),
        (json!(-1), "-1"),
        (json!(1.5), "1.5"),
        (json!(1e300), "1e+300"),
        (json!("99999999999999999999"), "\"99999999999999999999\""),
        (json!([1]), "[1]"),
        (json!(true), "true"),
    ] {
        refused(
            json!({"query": "a", "limit": limit}),
            &format!("argument limit is {shown}: allowed is a whole number from 1 to 50"),
        );
    }
}

#[test]
fn empty_text_and_null_count_as_absent() {
    taken(
        json!({"query": "a", "limit": null, "exact": "", "filters": {"created": {"on": ""}}}),
        json!({"query": "a", "filters": {"created": {}}}),
    );
    refused(json!({"query": ""}), "argument query is missing: give a text of at most 12 characters");
    refused(json!({"query": null}), "argument query is missing: give a text of at most 12 characters");
    refused(json!({}), "argument query is missing: give a text of at most 12 characters");
}

#[test]
fn a_text_that_must_be_given_may_be_empty_where_the_schema_says_so() {
    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema is used")]
    struct Edit {
        #[schemars(length(min = 0))]
        content: String,
    }
    let check = |arguments: Value| {
        let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
        Shape::read(&of::<Edit>(Direction::Input)).check(Some(arguments)).map_err(|error| error.to_string())
    };
    assert_eq!(check(json!({"content": ""})), Ok(json!({"content": ""})));
    assert_eq!(check(json!({"content": " \n"})), Ok(json!({"content": " \n"})));
    for left_out in [json!({}), json!({"content": null})] {
        assert_eq!(check(left_out), Err("argument content is missing: give a text".to_owned()));
    }
}

#[test]
fn a_single_value_is_taken_for_a_list() {
    taken(
        json!({"query": "a", "filters": {"tags": "work"}}),
        json!({"query": "a", "filters": {"tags": ["work"]}}),
    );
    refused(
        json!({"query": "a", "filters": {"tags": ["work", 7]}}),
        "argument filters.tags[1] is 7: allowed is a text",
    );
}

#[test]
fn unknown_arguments_name_the_nearest_known_one() {
    refused(json!({"query": "a", "limmit": 1}), "unknown argument limmit: did you mean limit?");
    refused(
        json!({"query": "a", "filters": {"tag": "x"}}),
        "unknown argument filters.tag: did you mean filters.tags?",
    );
    refused(
        json!({"query": "a", "filters": {"limit": 1}}),
        "unknown argument filters.limit: it belongs at limit",
    );
    refused(json!({"query": "a", "tags": ["x"]}), "unknown argument tags: it belongs at filters.tags");
    refused(
        json!({"query": "a", "zzzzzz": 1}),
        "unknown argument zzzzzz: allowed are query, filters, limit, exact, sort_by, due",
    );
}

#[test]
fn wrong_types_name_what_is_allowed() {
    refused(json!({"query": 5}), "argument query is 5: allowed is a text of at most 12 characters");
    refused(json!({"query": "a", "exact": "yes"}), "argument exact is \"yes\": allowed is true or false");
    refused(
        json!({"query": "a", "filters": "work"}),
        "argument filters is \"work\": allowed is an object with the fields tags, created, properties",
    );
    refused(
        json!({"query": "a", "sort_by": "size"}),
        "argument sort_by is \"size\": allowed is one of created, modified",
    );
}

#[test]
fn maps_keep_their_values_as_they_are() {
    let arguments = json!({"query": "a", "filters": {"properties": {"n": 1, "t": "1", "b": true}}});
    taken(arguments.clone(), arguments);
    refused(
        json!({"query": "a", "filters": {"properties": {"n": [1]}}}),
        "argument filters.properties.n is [1]: allowed is a text or a number or true or false",
    );
}

#[test]
fn a_refused_value_is_quoted_in_short() {
    let message = check(json!({"query": "x".repeat(5000)})).unwrap_err();
    assert!(message.chars().count() < 200, "{message}");
}

#[test]
fn null_clears_what_can_be_cleared_and_empty_text_leaves_it() {
    taken(json!({"query": "a", "due": null}), json!({"query": "a", "due": null}));
    taken(json!({"query": "a", "due": ""}), json!({"query": "a"}));
    taken(json!({"query": "a", "due": "2026-01-01"}), json!({"query": "a", "due": "2026-01-01"}));
    refused(json!({"query": "a", "due": 3}), "argument due is 3: allowed is a text, or null to clear it");
}
