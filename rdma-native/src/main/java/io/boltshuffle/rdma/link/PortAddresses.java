package io.boltshuffle.rdma.link;

import io.boltshuffle.rdma.Gid;
import org.jspecify.annotations.Nullable;

/** What a port can be reached at, by family; null where it has no such GID. */
public record PortAddresses(@Nullable Gid ipv4, @Nullable Gid linkLocal) {}
