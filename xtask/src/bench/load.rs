//! A load of keep-alive connections: threads that send the same bytes as fast as answers come.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow, bail};

use super::latency::Times;

/// How many connections.
pub(crate) const CONNECTIONS: usize = 16;

/// Before the measurement, so that every connection is open and warm.
const WARM_UP: Duration = Duration::from_millis(500);

/// How long is measured.
const MEASURED: Duration = Duration::from_secs(4);

/// What a load came to.
pub(crate) struct Load {
    pub(crate) per_second: f64,
    pub(crate) times: Times,
}

/// Sends `bytes` on every connection until the time is over; every answer must be a 200.
pub(crate) fn run(address: SocketAddr, bytes: &[u8]) -> anyhow::Result<Load> {
    let (measuring, stop) = (AtomicBool::new(false), AtomicBool::new(false));
    thread::scope(|scope| {
        let workers: Vec<_> =
            (0..CONNECTIONS).map(|_| scope.spawn(|| connection(address, bytes, &measuring, &stop))).collect();
        thread::sleep(WARM_UP);
        measuring.store(true, Ordering::Relaxed);
        let start = Instant::now();
        thread::sleep(MEASURED);
        stop.store(true, Ordering::Relaxed);
        let elapsed = start.elapsed();
        let mut times = Vec::new();
        for worker in workers {
            times.extend(worker.join().map_err(|_| anyhow!("a load thread failed"))??);
        }
        Ok(Load { per_second: times.len() as f64 / elapsed.as_secs_f64(), times: Times::new(times) })
    })
}

fn connection(
    address: SocketAddr,
    bytes: &[u8],
    measuring: &AtomicBool,
    stop: &AtomicBool,
) -> anyhow::Result<Vec<Duration>> {
    let stream = TcpStream::connect(address)?;
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(Duration::from_secs(10)))?;
    let mut stream = BufReader::with_capacity(64 * 1024, stream);
    let (mut times, mut line, mut body) = (Vec::new(), String::new(), Vec::new());
    while !stop.load(Ordering::Relaxed) {
        let start = Instant::now();
        stream.get_mut().write_all(bytes)?;
        read_answer(&mut stream, &mut line, &mut body)?;
        if measuring.load(Ordering::Relaxed) {
            times.push(start.elapsed());
        }
    }
    Ok(times)
}

/// Reads one answer with a content length into the buffers.
fn read_answer(stream: &mut impl BufRead, line: &mut String, body: &mut Vec<u8>) -> anyhow::Result<()> {
    line.clear();
    stream.read_line(line)?;
    if !line.starts_with("HTTP/1.1 200") {
        bail!("not a 200: {line:?}");
    }
    let mut length = None;
    loop {
        line.clear();
        stream.read_line(line)?;
        let header = line.trim_end();
        if header.is_empty() {
            break;
        }
        if let Some((name, value)) = header.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse::<usize>().ok();
        }
    }
    body.resize(length.context("an answer without a content length")?, 0);
    stream.read_exact(body)?;
    Ok(())
}
