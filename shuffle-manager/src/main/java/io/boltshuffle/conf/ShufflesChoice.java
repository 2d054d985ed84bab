package io.boltshuffle.conf;

/** The user's choice of the shuffles that go by RDMA. */
public enum ShufflesChoice {
    /** Those of whatever shuffle manager the application has. */
    ANY,
    /** Those of the plugin's own manager only. */
    OWN
}
