package dev.understudy.it.fidelity.server;

import dev.understudy.it.bench.process.FreePorts;
import dev.understudy.it.bench.process.Programs;
import dev.understudy.it.bench.process.Shell;
import dev.understudy.it.bench.process.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Redis without persistence; {@code INFO} counts what it is asked. */
public final class RedisServer implements Server {
    private static final Pattern CONNECTIONS = Pattern.compile("total_connections_received:(\\d+)");
    private static final Pattern COMMANDS = Pattern.compile("total_commands_processed:(\\d+)");

    private final Tool tool;
    private final int port;
    private int asked;

    private RedisServer(Tool tool, int port) {
        this.tool = tool;
        this.port = port;
    }

    public static RedisServer start(Path folder) throws IOException {
        Path home = Files.createDirectories(folder.resolve("redis"));
        int port = FreePorts.next();
        Tool tool = Tool.start(
                home,
                List.of(
                        Programs.path("redis-server"),
                        "--port",
                        Integer.toString(port),
                        "--bind",
                        "127.0.0.1",
                        "--save",
                        "",
                        // suites of drivers use it
                        "--enable-debug-command",
                        "local"));
        tool.awaitOutput("Ready to accept connections");
        return new RedisServer(tool, port);
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public Census census() throws IOException, InterruptedException {
        // each call is a connection, and the calls before this one are commands
        String said = cli("INFO", "stats");
        asked++;
        return new Census(count(CONNECTIONS, said) - asked, count(COMMANDS, said) - (asked - 1));
    }

    /** Forgets all keys. */
    public void clear() throws IOException, InterruptedException {
        cli("FLUSHALL");
    }

    private String cli(String... words) throws IOException, InterruptedException {
        String[] command = {Programs.path("redis-cli"), "-p", Integer.toString(port)};
        return Shell.run(Stream.concat(List.of(command).stream(), List.of(words).stream())
                .toList());
    }

    private static long count(Pattern pattern, String said) throws IOException {
        Matcher matcher = pattern.matcher(said);
        if (!matcher.find()) {
            throw new IOException(pattern + ": not in " + said);
        }
        return Long.parseLong(matcher.group(1));
    }

    @Override
    public void close() {
        tool.close();
    }
}
