//! Clients: what one says of itself, at registration (RFC 7591) or in its metadata document, and what of it
//! is taken.

use serde_json::{Map, Value, json};
use token::SCOPE;

use super::error::{Code, OauthError};
use super::redirect_uri::RedirectUri;

/// The most redirect URIs that one client registers; Cursor and VS Code have three.
const MOST_REDIRECT_URIS: usize = 10;

/// The most redirect URIs that are looked at in a metadata document, which serves many servers and is bounded
/// itself.
const MOST_DOCUMENT_URIS: usize = 32;

/// The most metadata that one registration may come to, in bytes of the JSON that is echoed.
const MOST_METADATA_BYTES: usize = 8_192;

/// The longest name, in characters.
const MOST_NAME_CHARS: usize = 100;

/// The longest of the other texts that are kept, in bytes.
const MOST_TEXT_BYTES: usize = 2_048;

/// The grant types there are. A client that names others beside them is not refused for it.
const GRANT_TYPES: [&str; 2] = ["authorization_code", "refresh_token"];

/// How a client proves itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AuthMethod {
    /// Not at all: a public client.
    None,
    /// A secret in the body.
    Post,
    /// A secret by HTTP Basic.
    Basic,
}

impl AuthMethod {
    /// The name in metadata.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Post => "client_secret_post",
            Self::Basic => "client_secret_basic",
        }
    }

    /// The method with this name.
    pub(super) fn of_name(name: &str) -> Option<Self> {
        [Self::None, Self::Post, Self::Basic].into_iter().find(|method| method.name() == name)
    }
}

/// A client that may ask the owner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Client {
    /// Its id: ours, or the URL of its metadata document.
    pub(super) id: String,
    /// What it calls itself, cleaned.
    pub(super) name: Option<String>,
    /// Where answers may go.
    pub(super) redirect_uris: Vec<RedirectUri>,
    /// The host of the metadata document.
    pub(super) host: Option<String>,
}

/// What a client said of itself, as far as it is taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ClientMetadata {
    /// `client_name`, cleaned.
    pub(super) name: Option<String>,
    /// `redirect_uris`, at least one.
    pub(super) redirect_uris: Vec<RedirectUri>,
    /// `token_endpoint_auth_method`.
    pub(super) auth_method: AuthMethod,
    /// All that is echoed.
    pub(super) echoed: Map<String, Value>,
}

impl ClientMetadata {
    /// Reads a registration request.
    ///
    /// # Errors
    /// `invalid_redirect_uri` or `invalid_client_metadata`. One redirect URI that is refused refuses the
    /// registration: a client would not notice that it cannot use it.
    pub(super) fn of_registration(value: &Value) -> Result<Self, OauthError> {
        let fields = value.as_object().ok_or_else(|| invalid("the body is not a JSON object"))?;
        let redirect_uris = redirect_uris(fields, MOST_REDIRECT_URIS)?
            .iter()
            .enumerate()
            .map(|(index, uri)| {
                RedirectUri::parse(uri).map_err(|error| {
                    let description = format!("redirect_uris, entry {}: {error}", index + 1);
                    OauthError::new(Code::InvalidRedirectUri, description)
                })
            })
            .collect::<Result<Vec<_>, _>>()?;
        if redirect_uris.is_empty() {
            return Err(OauthError::new(Code::InvalidRedirectUri, "redirect_uris names none"));
        }
        let auth_method = match fields.get("token_endpoint_auth_method") {
            // RFC 7591 has Basic for the default, and lets the server choose another: all that get a secret
            // here may send it either way.
            None | Some(Value::Null) => AuthMethod::Post,
            Some(name) => name.as_str().and_then(AuthMethod::of_name).ok_or_else(|| {
                invalid("token_endpoint_auth_method is none of none, client_secret_post, client_secret_basic")
            })?,
        };
        check_uses(fields)?;
        let metadata = Self::of_parts(fields, redirect_uris, auth_method);
        if json!(metadata.echoed).to_string().len() > MOST_METADATA_BYTES {
            return Err(invalid("the metadata is larger than 8192 bytes"));
        }
        Ok(metadata)
    }

    /// Reads a client's metadata document. `url` is where it was found.
    ///
    /// # Errors
    /// `invalid_client` when it is not that client's, or holds nothing that can be used.
    pub(super) fn of_document(value: &Value, url: &str) -> Result<Self, OauthError> {
        let refused = |description: &'static str| OauthError::invalid_client(description, false);
        let fields =
            value.as_object().ok_or_else(|| refused("the metadata document is not a JSON object"))?;
        if fields.get("client_id").and_then(Value::as_str) != Some(url) {
            return Err(refused("client_id in the metadata document is not its URL"));
        }
        if fields.contains_key("client_secret") || fields.contains_key("client_secret_expires_at") {
            return Err(refused("a metadata document must not hold a secret: everybody can read it"));
        }
        match fields.get("token_endpoint_auth_method") {
            None | Some(Value::Null) => {}
            Some(Value::String(method)) if method == "none" => {}
            // Its keys are not looked at, so nobody is asked to prove that he has them.
            Some(_) => {
                return Err(refused("token_endpoint_auth_method in the metadata document is not none"));
            }
        }
        // Documents serve many servers: what cannot be used here is passed over.
        let usable = redirect_uris(fields, MOST_DOCUMENT_URIS).unwrap_or_default();
        let redirect_uris: Vec<_> = usable.iter().filter_map(|uri| RedirectUri::parse(uri).ok()).collect();
        if redirect_uris.is_empty() {
            return Err(refused("the metadata document has no redirect URI that can be used"));
        }
        check_uses(fields)
            .map_err(|_| refused("the metadata document does not allow authorization codes"))?;
        Ok(Self::of_parts(fields, redirect_uris, AuthMethod::None))
    }

    fn of_parts(
        fields: &Map<String, Value>,
        redirect_uris: Vec<RedirectUri>,
        auth_method: AuthMethod,
    ) -> Self {
        let name = fields.get("client_name").and_then(Value::as_str).and_then(clean_name);
        let mut echoed = Map::new();
        let uris: Vec<_> = redirect_uris.iter().map(RedirectUri::as_str).collect();
        echoed.insert("redirect_uris".to_owned(), json!(uris));
        echoed.insert("token_endpoint_auth_method".to_owned(), json!(auth_method.name()));
        echoed.insert("grant_types".to_owned(), json!(GRANT_TYPES));
        echoed.insert("response_types".to_owned(), json!(["code"]));
        echoed.insert("scope".to_owned(), json!(SCOPE));
        if let Some(name) = &name {
            echoed.insert("client_name".to_owned(), json!(name));
        }
        for field in ["client_uri", "logo_uri", "tos_uri", "policy_uri"] {
            if let Some(uri) = fields.get(field).and_then(Value::as_str).filter(|uri| is_web_url(uri)) {
                echoed.insert(field.to_owned(), json!(uri));
            }
        }
        for field in ["software_id", "software_version"] {
            if let Some(text) = fields.get(field).and_then(Value::as_str)
                && text.len() <= MOST_TEXT_BYTES
            {
                echoed.insert(field.to_owned(), json!(text));
            }
        }
        Self { name, redirect_uris, auth_method, echoed }
    }
}

/// The texts of `redirect_uris`.
fn redirect_uris(fields: &Map<String, Value>, most: usize) -> Result<Vec<&str>, OauthError> {
    let refused = |description| OauthError::new(Code::InvalidRedirectUri, description);
    let list = fields
        .get("redirect_uris")
        .and_then(Value::as_array)
        .ok_or_else(|| refused("redirect_uris is not a list"))?;
    if list.len() > most {
        let description = format!("redirect_uris names more than {most}");
        return Err(OauthError::new(Code::InvalidRedirectUri, description));
    }
    list.iter()
        .map(|uri| uri.as_str().ok_or_else(|| refused("redirect_uris holds what is no text")))
        .collect()
}

/// Whether the client means to use codes at all. What else it means to use is its own business.
fn check_uses(fields: &Map<String, Value>) -> Result<(), OauthError> {
    let names = |field: &str, wanted: &str| match fields.get(field) {
        None | Some(Value::Null) => true,
        Some(Value::Array(list)) => list.is_empty() || list.iter().any(|entry| entry == wanted),
        Some(_) => false,
    };
    if !names("grant_types", "authorization_code") {
        return Err(invalid("grant_types lacks authorization_code"));
    }
    if !names("response_types", "code") {
        return Err(invalid("response_types lacks code"));
    }
    Ok(())
}

fn invalid(description: &'static str) -> OauthError {
    OauthError::new(Code::InvalidClientMetadata, description)
}

/// A name that can be shown on one line and hides nothing: without control characters and those that turn the
/// direction of text around (CVE-2021-42574) or take no room.
fn clean_name(text: &str) -> Option<String> {
    let hidden = |letter: char| {
        letter.is_control()
            || matches!(letter, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
                | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
    };
    let shown: String = text.chars().map(|letter| if hidden(letter) { ' ' } else { letter }).collect();
    let words: Vec<_> = shown.split_whitespace().collect();
    let name: String = words.join(" ").chars().take(MOST_NAME_CHARS).collect();
    (!name.is_empty()).then_some(name)
}

fn is_web_url(text: &str) -> bool {
    text.len() <= MOST_TEXT_BYTES
        && url::Url::parse(text).is_ok_and(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
}

#[cfg(test)]
#[expect(clippy::needless_pass_by_value, reason = "`json!` reads best without a reference")]
mod tests {
    use super::*;

    #[track_caller]
    fn registered(value: Value) -> ClientMetadata {
        ClientMetadata::of_registration(&value).unwrap()
    }

    #[track_caller]
    fn refused(value: Value, code: Code) {
        assert_eq!(ClientMetadata::of_registration(&value).unwrap_err().code, code, "{value}");
    }

    #[test]
    fn three_uris_of_one_client_register_together() {
        let metadata = registered(json!({
            "client_name": "Cursor",
            "redirect_uris": [
                "cursor://anysphere.cursor-mcp/oauth/callback",
                "https://www.cursor.com/agents/mcp/oauth/callback",
                "http://localhost:8787/callback",
            ],
            "token_endpoint_auth_method": "none",
            "grant_types": ["authorization_code", "refresh_token"],
            "response_types": ["code"],
        }));
        assert_eq!(metadata.redirect_uris.len(), 3);
        assert_eq!(metadata.auth_method, AuthMethod::None);
    }

    #[test]
    fn unknown_grant_types_and_scopes_are_passed_over() {
        let metadata = registered(json!({
            "redirect_uris": ["https://vscode.dev/redirect"],
            "grant_types": ["authorization_code", "urn:ietf:params:oauth:grant-type:device_code"],
            "response_types": ["code", "code id_token"],
            "scope": "vault offline_access admin",
            "jwks": {"keys": []},
            "contacts": 7,
        }));
        assert_eq!(metadata.echoed["grant_types"], json!(GRANT_TYPES));
        assert_eq!(metadata.echoed["scope"], "vault");
        assert_eq!(metadata.auth_method, AuthMethod::Post);
        assert!(!metadata.echoed.contains_key("jwks"));
    }

    #[test]
    fn what_cannot_be_used_is_refused() {
        use Code::{InvalidClientMetadata, InvalidRedirectUri};
        refused(json!([]), InvalidClientMetadata);
        refused(json!({}), InvalidRedirectUri);
        refused(json!({"redirect_uris": []}), InvalidRedirectUri);
        refused(json!({"redirect_uris": "https://a.example/"}), InvalidRedirectUri);
        refused(json!({"redirect_uris": [1]}), InvalidRedirectUri);
        refused(json!({"redirect_uris": ["https://a.example/", "javascript:x"]}), InvalidRedirectUri);
        let many = vec!["https://a.example/"; MOST_REDIRECT_URIS + 1];
        refused(json!({"redirect_uris": many}), InvalidRedirectUri);
        let with = |field: &str, value: Value| {
            let mut all = json!({"redirect_uris": ["https://a.example/"]});
            all[field] = value;
            all
        };
        refused(with("token_endpoint_auth_method", json!("private_key_jwt")), InvalidClientMetadata);
        refused(with("token_endpoint_auth_method", json!(1)), InvalidClientMetadata);
        refused(with("grant_types", json!(["client_credentials"])), InvalidClientMetadata);
        refused(with("response_types", json!(["token"])), InvalidClientMetadata);
    }

    #[test]
    fn a_registration_is_small() {
        use Code::{InvalidClientMetadata, InvalidRedirectUri};
        let uri = |bytes: usize| format!("https://a.example/{}", "a".repeat(bytes - 18));
        let most = vec![uri(512); MOST_REDIRECT_URIS];
        let metadata = registered(json!({"client_name": "猫".repeat(100), "redirect_uris": most}));
        assert_eq!(metadata.redirect_uris.len(), 10);
        refused(json!({"redirect_uris": [uri(513)]}), InvalidRedirectUri);
        let page = uri(2_000);
        refused(json!({"redirect_uris": most, "client_uri": page, "tos_uri": page}), InvalidClientMetadata);
        registered(json!({"redirect_uris": [uri(512)], "client_uri": page, "tos_uri": page}));
    }

    #[test]
    fn names_hide_nothing() {
        let name = |text: &str| clean_name(text);
        assert_eq!(name(" Claude \n Code "), Some("Claude Code".to_owned()));
        assert_eq!(name("evil\u{202e}moc.edualc"), Some("evil moc.edualc".to_owned()));
        assert_eq!(name("\u{200b}\0"), None);
        assert_eq!(name(&"a".repeat(500)).unwrap().len(), MOST_NAME_CHARS);
    }

    #[test]
    fn a_document_is_the_clients_own_and_holds_no_secret() {
        let url = "https://client.example/metadata.json";
        let document = |changes: Value| {
            let mut document = json!({
                "client_id": url,
                "client_name": "Client",
                "redirect_uris": ["http://localhost/callback", "http://a.example/", "javascript:x"],
                "grant_types": ["authorization_code", "urn:ietf:params:oauth:grant-type:device_code"],
                "jwks_uri": "https://client.example/keys",
            });
            for (field, value) in changes.as_object().unwrap() {
                document[field] = value.clone();
            }
            ClientMetadata::of_document(&document, url)
        };
        assert_eq!(document(json!({})).unwrap().redirect_uris.len(), 1);
        for changes in [
            json!({"client_id": "https://client.example/other"}),
            json!({"client_id": null}),
            json!({"client_secret": "x"}),
            json!({"token_endpoint_auth_method": "client_secret_post"}),
            json!({"redirect_uris": ["javascript:x"]}),
            json!({"redirect_uris": null}),
            json!({"grant_types": ["implicit"]}),
        ] {
            assert_eq!(document(changes.clone()).unwrap_err().code, Code::InvalidClient, "{changes}");
        }
    }
}
