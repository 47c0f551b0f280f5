//! `vault_search`: ranked notes, filtered before any limit.

use harness::{Server, TestServer, TestVault};
use serde_json::{Value, json};

use crate::fixtures;

fn server() -> Server {
    TestServer::start().with_vault(fixtures::full()).ready()
}

#[track_caller]
fn paths(server: &Server, arguments: Value) -> Vec<String> {
    server.call("vault_search", arguments).list("results", "path")
}

/// Paths found with this filter, sorted.
#[track_caller]
fn filtered(server: &Server, query: &str, filters: Value) -> Vec<String> {
    let mut found = paths(server, json!({"query": query, "filters": filters, "limit": 50}));
    found.sort();
    found
}

#[test]
fn a_hit_carries_what_a_client_needs_to_choose() {
    let server = server();
    let answer = server.call(
        "vault_search",
        json!({"query": "renew wildcard certificate", "include_leading_callout": true}),
    );
    let answer = answer.structured();
    assert_eq!(answer["search_mode"], "fts");
    assert_eq!(answer["reranked"], false);
    let hit = &answer["results"][0];
    assert_eq!(hit["path"], "howto/renew-wildcard-certificate.md");
    assert_eq!(hit["title"], "Renew the wildcard certificate");
    assert_eq!(hit["folder"], "howto");
    assert_eq!(hit["type"], "howto");
    assert_eq!(hit["kind"], "note");
    assert_eq!(hit["tags"], json!(["tls", "homelab", "homelab/tls"]));
    assert_eq!(hit["bytes"], server.vault().read("howto/renew-wildcard-certificate.md").len());
    assert!(hit["created"].as_str().unwrap().starts_with("2026-03-02"), "{hit}");
    assert!(hit["modified"].as_str().unwrap().starts_with("20"), "{hit}");
    assert_eq!(hit["leading_callout"]["title"], "Scope");
    assert!(hit.get("extension").is_none(), "{hit}");
    let score = hit["score"].as_f64().unwrap();
    assert!(score > 0.0 && score <= 1.0, "{score}");
}

#[test]
fn scores_fall_and_lie_between_zero_and_one() {
    let server = server();
    let answer = server.call("vault_search", json!({"query": "traefik wildcard certificate"}));
    let scores: Vec<f64> = answer.structured()["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|hit| hit["score"].as_f64().unwrap())
        .collect();
    assert!(scores.len() > 2, "{scores:?}");
    assert!(scores.windows(2).all(|pair| pair[0] >= pair[1]), "{scores:?}");
    assert!(scores.iter().all(|score| (0.0..=1.0).contains(score)), "{scores:?}");
}

#[test]
fn a_hit_names_the_section_and_lines_of_its_passage() {
    let server = server();
    let answer = server.call("vault_search", json!({"query": "kubernetes"}));
    let hit = &answer.structured()["results"][0];
    assert_eq!(hit["path"], "Projects/Cluster.md");
    assert!(hit["section"].as_str().unwrap().ends_with("Decisions"), "{hit}");
    assert!(hit["snippet"].as_str().unwrap().contains("decided against Kubernetes"), "{hit}");
    let text = String::from_utf8(server.vault().read("Projects/Cluster.md")).unwrap();
    let place = 1 + text.lines().position(|line| line.contains("Kubernetes")).unwrap() as u64;
    let (start, end) = (hit["lines"]["start"].as_u64().unwrap(), hit["lines"]["end"].as_u64().unwrap());
    assert!(start <= place && place <= end, "{start}..{end} does not hold line {place}");
}

#[test]
fn the_leading_callout_comes_only_when_asked_for() {
    let server = server();
    let answer = server.call("vault_search", json!({"query": "renew wildcard certificate"}));
    assert!(answer.structured()["results"][0].get("leading_callout").is_none());
}

#[test]
fn nothing_found_is_an_empty_list_and_no_error() {
    let server = server();
    let answer = server.call("vault_search", json!({"query": "zzzunfindable"}));
    assert_eq!(answer.structured()["results"], json!([]));
    assert_eq!(answer.structured()["total"], 0);
}

#[test]
fn the_limit_cuts_the_list_and_not_the_total() {
    let server = server();
    let answer = server.call("vault_search", json!({"query": "traefik", "limit": 1}));
    assert_eq!(answer.structured()["results"].as_array().unwrap().len(), 1);
    assert_eq!(answer.structured()["total"], 4);
}

#[test]
fn a_snippet_is_as_long_as_asked() {
    let vault =
        TestVault::new().note("long.md", &format!("{} needle {}", "hay ".repeat(300), "straw ".repeat(300)));
    let server = TestServer::start().with_vault(vault).ready();
    let words = |tokens: u32| {
        let answer = server.call("vault_search", json!({"query": "needle", "snippet_tokens": tokens}));
        let snippet = answer.structured()["results"][0]["snippet"].as_str().unwrap().to_owned();
        assert!(snippet.contains("needle"), "{snippet}");
        snippet.split_whitespace().count()
    };
    assert!(words(10) <= 14);
    assert!((50..=70).contains(&words(60)));
}

#[test]
fn a_folder_filter_takes_whole_segments_without_case() {
    let server = server();
    assert_eq!(
        filtered(&server, "traefik", json!({"folder": "daily"})),
        ["Daily/2026-01-15.md", "Daily/2026-01-16.md"]
    );
    assert_eq!(
        filtered(&server, "traefik", json!({"folder": "Daily/"})),
        ["Daily/2026-01-15.md", "Daily/2026-01-16.md"]
    );
    assert_eq!(filtered(&server, "traefik", json!({"folder": "Dai"})), [""; 0]);
}

#[test]
fn a_tag_filter_matches_nested_tags_and_all_of_them() {
    let server = server();
    let query = "wildcard certificate cluster phone jonas";
    assert_eq!(
        filtered(&server, query, json!({"tags": ["homelab"]})),
        ["howto/renew-wildcard-certificate.md"]
    );
    assert_eq!(
        filtered(&server, query, json!({"tags": ["#PROJECT"]})),
        ["People/Jonas Müller.md", "Projects/Cluster.md"]
    );
    assert_eq!(filtered(&server, query, json!({"tags": ["project", "person"]})), ["People/Jonas Müller.md"]);
    // One value where a list is meant, as models write it.
    assert_eq!(filtered(&server, query, json!({"tags": "homelab"})), ["howto/renew-wildcard-certificate.md"]);
}

#[test]
fn property_filters_compare_texts_numbers_and_booleans() {
    let server = server();
    let howto = ["howto/renew-wildcard-certificate.md"];
    let none = [""; 0];
    let found =
        |properties: Value| filtered(&server, "wildcard certificate", json!({"properties": properties}));
    assert_eq!(found(json!({"effort": 3})), howto);
    assert_eq!(found(json!({"effort": "3"})), howto);
    assert_eq!(found(json!({"effort": 4})), none);
    assert_eq!(found(json!({"done": true})), howto);
    assert_eq!(found(json!({"done": false})), none);
    assert_eq!(found(json!({"steps": "wait"})), howto);
    assert_eq!(found(json!({"steps": "wait", "effort": 3})), howto);
    assert_eq!(found(json!({"steps": "wait", "effort": 1})), none);
    assert_eq!(filtered(&server, "wildcard", json!({"type": "howto"})), howto);
    assert_eq!(filtered(&server, "wildcard", json!({"related": ["[[Projects/Cluster]]"]})), howto);
    assert_eq!(filtered(&server, "wildcard", json!({"related": ["Cluster"]})), howto);
}

#[test]
fn date_filters_are_exclusive_at_both_ends_and_exact_in_the_middle() {
    let server = server();
    let found = |created: Value| filtered(&server, "wildcard certificate", json!({"created": created}));
    let (cluster, howto) = ("Projects/Cluster.md", "howto/renew-wildcard-certificate.md");
    assert_eq!(found(json!({"on": "2026-03-02"})), [howto]);
    assert_eq!(found(json!({"after": "2026-01-12"})), [howto]);
    assert_eq!(found(json!({"after": "2026-01-11"})), [cluster, howto]);
    assert_eq!(found(json!({"before": "2026-03-02"})), [cluster]);
    assert_eq!(found(json!({"after": "2026-01-11", "before": "2026-03-02"})), [cluster]);
    let error = server
        .call("vault_search", json!({"query": "x", "filters": {"created": {"on": "3.2.2026"}}}))
        .error();
    assert!(error.contains("created") && error.contains("YYYY-MM-DD"), "{error}");
}

#[test]
fn a_filter_on_the_last_change_reads_the_disk() {
    let vault = TestVault::new()
        .note("old.md", "same words")
        .modified("old.md", 1_700_000_000)
        .note("new.md", "same words")
        .modified("new.md", 1_760_000_000);
    let server = TestServer::start().with_vault(vault).ready();
    // 2023-11-14T22:13:20Z
    assert_eq!(filtered(&server, "same words", json!({"modified": {"on": "2023-11-14"}})), ["old.md"]);
    assert_eq!(filtered(&server, "same words", json!({"modified": {"after": "2023-11-14"}})), ["new.md"]);
}

/// A filter after a limit would lose notes: here 60 better notes are filtered away first.
#[test]
fn filters_apply_before_any_window() {
    let mut vault = TestVault::new().note("deep/one.md", &format!("needle {}", "hay ".repeat(200)));
    for number in 0..120 {
        vault = vault.note(&format!("shallow/{number}.md"), "needle needle needle");
    }
    let server = TestServer::start().with_vault(vault).ready();
    assert_eq!(filtered(&server, "needle", json!({"folder": "deep"})), ["deep/one.md"]);
}

#[test]
fn text_files_and_canvases_are_found_behind_notes() {
    let card = r#"{"id":"1","type":"text","text":"harbour lights","x":0,"y":0,"width":9,"height":9}"#;
    let vault = TestVault::new()
        .note("note.md", "harbour")
        .note("data/tides.csv", "place,height\nharbour,3\n")
        .note("Boards/plan.canvas", &format!("{{\"nodes\":[{card}],\"edges\":[]}}"));
    let server = TestServer::start().with_vault(vault).ready();
    let answer = server.call("vault_search", json!({"query": "harbour"}));
    let hits = answer.structured()["results"].as_array().unwrap();
    let shown = |name: &str| hits.iter().map(|hit| hit[name].clone()).collect::<Vec<_>>();
    assert_eq!(hits[0]["path"], "note.md");
    assert_eq!(shown("kind"), [json!("note"), json!("file"), json!("file")]);
    let csv = hits.iter().find(|hit| hit["path"] == "data/tides.csv").unwrap();
    assert_eq!((&csv["extension"], &csv["folder"]), (&json!("csv"), &json!("data")));
    assert_eq!(csv["lines"]["start"], 1);
    assert_eq!(server.call("vault_fts_search", json!({"query": "harbour"})).structured()["total"], 1);
}

#[test]
fn every_script_is_found() {
    let vault = TestVault::new()
        .note("ja.md", "東京都の証明書を更新する")
        .note("zh.md", "我们决定不使用容器编排")
        .note("ko.md", "와일드카드 인증서를 갱신하는 방법")
        .note("th.md", "ต่ออายุใบรับรองไวลด์การ์ด")
        .note("ru.md", "Продление сертификата домена")
        .note("el.md", "Ανανέωση πιστοποιητικού")
        .note("ar.md", "تجديد الشهادة")
        .note("hi.md", "प्रमाणपत्र का नवीनीकरण")
        .note("de.md", "Zertifikatserneuerung für Müller in Straße");
    let server = TestServer::start().with_vault(vault).ready();
    for (query, path) in [
        ("証明書", "ja.md"),
        ("决定", "zh.md"),
        ("인증서를", "ko.md"),
        ("ใบรับรอง", "th.md"),
        ("СЕРТИФИКАТА", "ru.md"),
        ("ανανεωση", "el.md"),
        ("الشهادة", "ar.md"),
        ("नवीनीकरण", "hi.md"),
        ("muller", "de.md"),
        ("strasse", "de.md"),
    ] {
        assert_eq!(
            paths(&server, json!({"query": query})).first().map(String::as_str),
            Some(path),
            "{query}"
        );
    }
}

#[test]
fn a_mistyped_word_is_found_all_the_same() {
    let server = server();
    assert_eq!(
        paths(&server, json!({"query": "certifciate renewl"})).first().unwrap(),
        "howto/renew-wildcard-certificate.md"
    );
    assert_eq!(paths(&server, json!({"query": "kubern"})).first().unwrap(), "Projects/Cluster.md");
}

#[test]
fn a_query_of_signs_or_filler_words_is_answered() {
    let server = server();
    for query in [
        "the",
        "how do I",
        "???",
        "\"",
        "(((",
        "*",
        "AND",
        "NOT",
        "a AND",
        "title:",
        "\u{0}x",
        "-",
        "\"unclosed phrase",
        "NEAR(",
    ] {
        let answer = server.call("vault_search", json!({"query": query}));
        assert!(
            !answer.is_error() || !answer.text().to_lowercase().contains("fts5"),
            "{query}: {}",
            answer.text()
        );
    }
}
