package dev.understudy.relay.connect;

import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Looks host names up without blocking the caller. Thread-safe. */
@FunctionalInterface
public interface Names {
    /** All addresses of {@code host}, at least one; fails with an {@link java.net.UnknownHostException}. */
    CompletableFuture<List<InetAddress>> addresses(String host);
}
