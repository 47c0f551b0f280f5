//! The vaults that several subjects share.

use harness::TestVault;

/// Next to nothing: an empty note, a note of one word, and no property, tag or link anywhere.
pub(crate) fn sparse() -> TestVault {
    TestVault::new().note("Empty.md", "").note("One.md", "lonely")
}

/// Something of everything that a tool can show.
pub(crate) fn full() -> TestVault {
    TestVault::new()
        .note(
            "howto/renew-wildcard-certificate.md",
            "---\ntitle: Renew the wildcard certificate\naliases: [TLS renewal]\n\
             description: Renewing the Let's Encrypt wildcard certificate behind Traefik, step by step.\n\
             tags: [tls, homelab]\ntype: howto\ncreated: 2026-03-02\nrelated:\n  - \"[[Projects/Cluster]]\"\n\
             effort: 3\ndone: true\nsteps: [order, wait, install]\n---\n\
             > [!info] Scope\n> Everything about renewal.\n\n# Renew the wildcard certificate\n\n\
             ## Why it expires\n\nThe certificate is valid for 90 days.\n\n\
             ## Steps\n\nTraefik picks up the renewed file from acme.json. See [[Jonas Müller]] and \
             [the cluster](../Projects/Cluster.md#Decisions).\n\n### Verify\n\nAsk the e2ee probe. #homelab/tls\n",
        )
        .note(
            "Projects/Cluster.md",
            "---\ntags:\n  - project\n  - project/active\ntype: project\ncreated: 2026-01-12T19:00:00Z\n\
             status: planning\n---\n# Cluster\n\n## Decisions\n\nWe decided against Kubernetes.\n\n\
             ## Open questions\n\nWho pays for the wildcard domain? Links: [[renew-wildcard-certificate]], \
             [[Missing note]], [[Jojo]], ![[diagram.png]], [[plan.canvas]], [[Daily Notes/2030-01-01]]\n\n\
             %% a hidden [[Inbox]] %%\n\n```\n[[In a fence]]\n```\n",
        )
        .note("People/Jonas Müller.md", "---\naliases: [Jojo]\ntags: person\n---\nPhone and café of Jonas. #Project\n")
        .note("Daily/2026-01-15.md", "- Traefik restarted\n- wrote to [[Jonas Müller]]\n- wildcard lunch, certificate of the dog\n")
        .note("Daily/2026-01-16.md", "Traefik again, quietly. #daily\n")
        .note("daily-archive/old.md", "An archived day with Traefik in passing.\n")
        .note("Inbox.md", "# Inbox\n\nUnsorted: renewal of the library card\n")
        .note("日本語/会議.md", "# 会議の議事録\n\n東京都の証明書を更新する。\n")
        .note("Broken/bad-yaml.md", "---\ntitle: \"unclosed\ntags: [a\n---\nText of the broken note about zeppelins.\n")
        .note("Twice.md", "# Log\n\nfirst\n\n## Day\n\none\n\n# Log\n\nsecond\n\n## Day\n\ntwo\n")
        .note("Boards/plan.canvas", "{\"nodes\":[{\"id\":\"1\",\"type\":\"file\",\"file\":\"Projects/Cluster.md\",\"x\":0,\"y\":0,\"width\":1,\"height\":1}],\"edges\":[]}")
        .bytes("img/diagram.png", b"\x89PNG\r\n\x1a\n")
        .note(".obsidian/app.json", "{}")
        .note(".trash/gone.md", "a trashed note about zeppelins\n")
}
