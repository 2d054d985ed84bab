package io.boltshuffle.rdma;

/** Queue depths that the device granted ({@code ibv_query_qp}). They can be smaller or larger than the request. */
public record GrantedDepth(int send, int receive) {}
