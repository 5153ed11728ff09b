package dev.understudy.aggregator;

import dev.understudy.relay.Ports;
import java.io.IOException;
import java.net.InetSocketAddress;
import redis.embedded.RedisServer;

/** A real Redis on loopback, which keeps nothing on disk. */
final class RedisProgram implements AutoCloseable {
    private final int port;
    private final RedisServer server;

    private RedisProgram(int port, RedisServer server) {
        this.port = port;
        this.server = server;
    }

    static RedisProgram start() throws IOException {
        int port = Ports.free();
        RedisServer server = RedisServer.newRedisServer()
                .port(port)
                .bind("127.0.0.1")
                .setting("save \"\"")
                .build();
        server.start();
        return new RedisProgram(port, server);
    }

    int port() {
        return port;
    }

    InetSocketAddress address() {
        return new InetSocketAddress("127.0.0.1", port);
    }

    @Override
    public void close() throws IOException {
        server.stop();
    }
}
