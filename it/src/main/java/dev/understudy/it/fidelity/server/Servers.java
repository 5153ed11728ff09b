package dev.understudy.it.fidelity.server;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;

/** One server of each kind, started when it is first asked for. Confined to one thread. */
public final class Servers implements Closeable {
    private final Path folder;
    private final Map<Server.Kind, Server> started = new EnumMap<>(Server.Kind.class);

    public Servers(Path folder) {
        this.folder = folder;
    }

    public Server get(Server.Kind kind) throws IOException, InterruptedException {
        Server server = started.get(kind);
        if (server == null) {
            server = switch (kind) {
                case POSTGRES -> PostgresServer.start(folder);
                case MYSQL -> MariaDbServer.start(folder);
                case REDIS -> RedisServer.start(folder);
                case HTTP -> WebServer.start(folder);
                case GRPC -> GrpcServer.start();
            };
            started.put(kind, server);
        }
        return server;
    }

    @Override
    public void close() throws IOException {
        for (Server server : started.values()) {
            server.close();
        }
    }
}
