package io.boltshuffle.rdma;

/**
 * Queue depths that the device really granted ({@code ibv_query_qp}); they differ from the request in both directions.
 */
public record GrantedDepth(int send, int receive) {}
