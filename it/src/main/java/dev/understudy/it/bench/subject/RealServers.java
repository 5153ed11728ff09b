package dev.understudy.it.bench.subject;

import dev.understudy.it.bench.process.FreePorts;
import dev.understudy.it.bench.process.Programs;
import dev.understudy.it.bench.process.Shell;
import dev.understudy.it.bench.process.Tool;
import dev.understudy.it.bench.process.Unprivileged;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A Redis and a PostgreSQL whose own CPU time is measured. */
public final class RealServers implements Closeable {
    private final List<Tool> open = new ArrayList<>();
    private final Path folder;

    public RealServers(Path folder) {
        this.folder = folder;
    }

    /** A Redis that writes nothing to disk, with the key that redis-benchmark asks for. */
    public Subject redis(String name) throws IOException, InterruptedException {
        int port = FreePorts.next();
        Path home = Files.createDirectories(folder.resolve("real-redis"));
        Tool tool = Tool.start(
                home, List.of("redis-server", "--port", Integer.toString(port), "--save", "", "--appendonly", "no"));
        open.add(tool);
        tool.awaitPort(port);
        Shell.run(List.of("redis-benchmark", "-p", Integer.toString(port), "-t", "set", "-d", "100", "-n", "100"));
        return new Subject(name, port, port, List.of(tool), "redis-server");
    }

    /** A PostgreSQL with pgbench's tables, open to {@code bench} on loopback. */
    public Subject postgres(String name) throws IOException, InterruptedException {
        int port = FreePorts.next();
        Path home = Unprivileged.folder(folder.resolve("real-postgres"));
        Path files = home.resolve("files");
        Shell.run(Unprivileged.command(
                List.of(Programs.path("initdb"), "-D", files.toString(), "-U", "bench", "--no-sync", "--auth=trust")));
        Tool tool = Tool.start(
                home,
                Unprivileged.command(List.of(
                        Programs.path("postgres"),
                        "-D",
                        files.toString(),
                        "-p",
                        Integer.toString(port),
                        "-k",
                        home.toString(),
                        "-c",
                        "fsync=off",
                        "-c",
                        "autovacuum=off")));
        open.add(tool);
        tool.awaitOutput("ready to accept connections");
        Shell.run(List.of(
                Programs.path("pgbench"),
                "-i",
                "-q",
                "-h",
                "127.0.0.1",
                "-p",
                Integer.toString(port),
                "-U",
                "bench",
                "postgres"));
        return new Subject(name, port, 0, List.of(tool), "postgres");
    }

    @Override
    public void close() {
        open.forEach(Tool::close);
    }
}
