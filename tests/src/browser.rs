//! A real browser: headless Chromium, driven through its ChromeDriver by the W3C WebDriver protocol.

use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::http::{Connection, Request};
use crate::process::Process;

/// The key under which WebDriver hands out elements (W3C WebDriver, 11).
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// The code points of keys that are no characters (W3C WebDriver, 17.4.2).
pub mod key {
    /// Enter.
    pub const ENTER: &str = "\u{e007}";
    /// Tab.
    pub const TAB: &str = "\u{e004}";
    /// The space bar.
    pub const SPACE: &str = " ";
}

/// How a page is shown.
#[derive(Clone, Copy, Debug)]
pub struct Screen {
    /// Width of the window in CSS pixels.
    pub width: u32,
    /// Height of the window in CSS pixels.
    pub height: u32,
    /// Whether the system asks for dark colours.
    pub dark: bool,
}

impl Screen {
    /// A small phone, held upright.
    pub const PHONE: Self = Self { width: 360, height: 740, dark: false };
    /// A window on a desk.
    pub const DESK: Self = Self { width: 1200, height: 900, dark: false };

    /// The same in dark colours.
    #[must_use]
    pub fn in_the_dark(self) -> Self {
        Self { dark: true, ..self }
    }
}

/// One browser with a profile of its own. Dropping it ends it.
pub struct Browser {
    session: String,
    driver: Driver,
}

/// The driver's process and the connection to it; when it goes, the browser goes with it.
struct Driver {
    connection: std::cell::RefCell<Connection>,
    _process: Process,
    /// Where the browser keeps its profile, and the driver its files.
    folder: TempDir,
}

/// One element of the page that is open.
pub struct Element<'a> {
    browser: &'a Browser,
    id: String,
}

impl Browser {
    /// Starts a browser.
    ///
    /// `None`, with a line on standard output, when there is no Chromium with its driver on `PATH`; under
    /// `REQUIRE_BROWSER=1` that is a failure.
    #[track_caller]
    pub fn start(screen: Screen) -> Option<Self> {
        let (Some(chromedriver), Some(chromium)) =
            (on_path(&["chromedriver"]), on_path(&["chromium", "chromium-browser", "google-chrome"]))
        else {
            let required = std::env::var("REQUIRE_BROWSER").is_ok_and(|value| value == "1");
            assert!(!required, "REQUIRE_BROWSER=1, and chromium with chromedriver is not on PATH");
            println!("skipped: chromium with chromedriver not present");
            return None;
        };
        let driver = Driver::start(&chromedriver);
        let profile = driver.folder.path().join("profile");
        let mut arguments = vec![
            "--headless=new".to_owned(),
            "--no-sandbox".to_owned(),
            "--disable-gpu".to_owned(),
            "--disable-dev-shm-usage".to_owned(),
            "--no-first-run".to_owned(),
            // A test reaches loopback and nothing else.
            "--disable-background-networking".to_owned(),
            "--disable-component-update".to_owned(),
            "--disable-sync".to_owned(),
            "--disable-quic".to_owned(),
            "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1".to_owned(),
            format!("--user-data-dir={}", profile.display()),
            format!("--window-size={},{}", screen.width, screen.height),
        ];
        if screen.dark {
            arguments.push("--blink-settings=preferredColorScheme=0".to_owned());
        }
        let started = driver.send(
            "POST",
            "/session",
            &json!({"capabilities": {"alwaysMatch": {
                "browserName": "chrome",
                "goog:chromeOptions": {"binary": chromium, "args": arguments},
                "goog:loggingPrefs": {"browser": "ALL"},
            }}}),
        );
        let session = started["sessionId"].as_str().expect("a session").to_owned();
        let browser = Self { session, driver };
        browser.show_on(screen);
        Some(browser)
    }

    /// Gives the page exactly this much room: a headless window is no narrower than 500 pixels.
    fn show_on(&self, screen: Screen) {
        self.cdp(
            "Emulation.setDeviceMetricsOverride",
            &json!({"width": screen.width, "height": screen.height, "deviceScaleFactor": 1, "mobile": screen.width < 600}),
        );
        let scheme = if screen.dark { "dark" } else { "light" };
        self.cdp(
            "Emulation.setEmulatedMedia",
            &json!({"features": [{"name": "prefers-color-scheme", "value": scheme}]}),
        );
    }

    fn cdp(&self, command: &str, parameters: &Value) -> Value {
        self.post("goog/cdp/execute", &json!({"cmd": command, "params": parameters}))
    }

    /// Opens a page and waits until it is there.
    #[track_caller]
    pub fn open(&self, url: &str) {
        self.post("url", &json!({"url": url}));
    }

    /// The address that is shown, which for a page that cannot be reached is the one that was asked for.
    #[track_caller]
    pub fn address(&self) -> String {
        self.get("url").as_str().expect("an address").to_owned()
    }

    /// The title of the page.
    #[track_caller]
    pub fn title(&self) -> String {
        self.get("title").as_str().expect("a title").to_owned()
    }

    /// The one element that a CSS selector finds, as soon as there is one: a page may still be on its way.
    #[track_caller]
    pub fn element(&self, selector: &str) -> Element<'_> {
        let deadline = Instant::now() + Duration::from_secs(5);
        loop {
            let mut found = self.elements(selector);
            if found.len() == 1 {
                return found.remove(0);
            }
            let late = found.len() > 1 || Instant::now() > deadline;
            assert!(!late, "{} of {selector} on {}: {}", found.len(), self.address(), self.source());
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Every element that a CSS selector finds.
    #[track_caller]
    pub fn elements(&self, selector: &str) -> Vec<Element<'_>> {
        let found = self.post("elements", &json!({"using": "css selector", "value": selector}));
        let found = found.as_array().expect("a list of elements");
        found
            .iter()
            .map(|element| Element {
                browser: self,
                id: element[ELEMENT].as_str().expect("an element").to_owned(),
            })
            .collect()
    }

    /// The element that has the focus.
    #[track_caller]
    pub fn focused(&self) -> Element<'_> {
        let element = self.get("element/active");
        Element { browser: self, id: element[ELEMENT].as_str().expect("an element").to_owned() }
    }

    /// Presses a key, or several after one another, on whatever has the focus.
    #[track_caller]
    pub fn press(&self, keys: &str) {
        let actions: Vec<Value> = keys
            .chars()
            .flat_map(|key| {
                [json!({"type": "keyDown", "value": key}), json!({"type": "keyUp", "value": key})]
            })
            .collect();
        self.post("actions", &json!({"actions": [{"type": "key", "id": "keyboard", "actions": actions}]}));
    }

    /// Runs a script in the page and gives what it returns.
    #[track_caller]
    pub fn run(&self, script: &str) -> Value {
        self.post("execute/sync", &json!({"script": script, "args": []}))
    }

    /// What the page wrote to the console, violations of its content security policy among it.
    #[track_caller]
    pub fn console(&self) -> Vec<String> {
        let lines = self.post("se/log", &json!({"type": "browser"}));
        let lines = lines.as_array().expect("a list of lines");
        lines.iter().map(|line| line["message"].as_str().unwrap_or_default().to_owned()).collect()
    }

    /// The page as HTML.
    #[track_caller]
    pub fn source(&self) -> String {
        self.get("source").as_str().expect("a page").to_owned()
    }

    /// A picture of the whole page, as base64 of a PNG file.
    #[track_caller]
    pub fn picture(&self) -> String {
        let picture = self.cdp("Page.captureScreenshot", &json!({"captureBeyondViewport": true}));
        picture["data"].as_str().expect("a picture").to_owned()
    }

    /// Waits until the address begins with this.
    #[track_caller]
    pub fn wait_for_address(&self, start: &str) -> String {
        let deadline = Instant::now() + Duration::from_secs(10);
        loop {
            let address = self.address();
            if address.starts_with(start) {
                return address;
            }
            assert!(Instant::now() < deadline, "{address} instead of {start}…: {}", self.source());
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    #[track_caller]
    fn get(&self, what: &str) -> Value {
        self.driver.send("GET", &format!("/session/{}/{what}", self.session), &Value::Null)
    }

    #[track_caller]
    fn post(&self, what: &str, body: &Value) -> Value {
        self.driver.send("POST", &format!("/session/{}/{what}", self.session), body)
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Ends the browser; the driver, which would leave it running, is ended after it.
        let request = Request::new("DELETE", &format!("/session/{}", self.session));
        let _ = self.driver.connection.borrow_mut().try_send(&request);
    }
}

impl Driver {
    fn start(chromedriver: &PathBuf) -> Self {
        let folder = tempfile::tempdir().expect("a folder for the profile");
        let port = free_port();
        let mut command = Command::new(chromedriver);
        command
            .arg(format!("--port={port}"))
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", folder.path())
            .env("TMPDIR", folder.path());
        let process = Process::spawn(&mut command);
        let address = SocketAddr::from(([127, 0, 0, 1], port));
        crate::eventually("chromedriver listens", Duration::from_secs(20), || {
            std::net::TcpStream::connect(address).ok()
        });
        Self { connection: Connection::new(address).into(), _process: process, folder }
    }

    #[track_caller]
    fn send(&self, method: &str, target: &str, body: &Value) -> Value {
        let request = Request::new(method, target);
        let request = if method == "GET" { request } else { request.json(body) };
        let response = self.connection.borrow_mut().send(&request);
        let mut answer = response.json();
        assert_eq!(response.status, 200, "{method} {target}: {answer}");
        answer["value"].take()
    }
}

impl Element<'_> {
    #[track_caller]
    fn get(&self, what: &str) -> Value {
        self.browser.get(&format!("element/{}/{what}", self.id))
    }

    #[track_caller]
    fn post(&self, what: &str, body: &Value) {
        self.browser.post(&format!("element/{}/{what}", self.id), body);
    }

    /// Clicks or taps it.
    #[track_caller]
    pub fn click(&self) {
        self.post("click", &json!({}));
    }

    /// Types into it, after what is there.
    #[track_caller]
    pub fn type_in(&self, text: &str) {
        self.post("value", &json!({"text": text}));
    }

    /// Its text as it is shown.
    #[track_caller]
    pub fn text(&self) -> String {
        self.get("text").as_str().expect("a text").to_owned()
    }

    /// A property of it, such as `value` or `id`.
    #[track_caller]
    pub fn property(&self, name: &str) -> Value {
        self.get(&format!("property/{name}"))
    }

    /// What a screen reader says it is.
    #[track_caller]
    pub fn role(&self) -> String {
        self.get("computedrole").as_str().expect("a role").to_owned()
    }

    /// What a screen reader calls it.
    #[track_caller]
    pub fn label(&self) -> String {
        self.get("computedlabel").as_str().expect("a label").to_owned()
    }
}

/// The first of these programs on `PATH`.
fn on_path(names: &[&str]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    names.iter().find_map(|name| {
        std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
    })
}

/// A port that nobody listens on.
fn free_port() -> u16 {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
    listener.local_addr().expect("an address").port()
}
