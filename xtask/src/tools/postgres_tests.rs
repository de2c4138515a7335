use std::net::TcpStream;

use super::{Cluster, find};

#[test]
fn a_cluster_answers_until_it_is_dropped_and_leaves_nothing() {
    if find().is_none() {
        return;
    }
    let target = tempfile::tempdir().unwrap();
    let cluster = Cluster::start(target.path()).unwrap();
    let (port, folder) = (cluster.port, cluster.folder.clone());
    assert!(cluster.address().ends_with(&format!(":{port}/postgres")));
    TcpStream::connect(("127.0.0.1", port)).unwrap();
    drop(cluster);
    TcpStream::connect(("127.0.0.1", port)).unwrap_err();
    assert!(!folder.exists());
}
