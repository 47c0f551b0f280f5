//! The way in through API Gateway: client → stand-in → the real authorizer → the real server. What the gateway
//! does on its own is asked of the stand-in first, so that the rest can be believed.

mod clients;
mod entry;
mod gateway;
mod host_side;
mod limits;
mod listening_host;
mod open_routes;
mod owner;
mod plan;
mod signing;
