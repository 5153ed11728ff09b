package dev.understudy.it.fidelity.server;

import dev.understudy.it.bench.process.FreePorts;
import dev.understudy.it.bench.process.Programs;
import dev.understudy.it.bench.process.Shell;
import dev.understudy.it.bench.process.Tool;
import dev.understudy.it.bench.process.Unprivileged;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/**
 * MariaDB with a database {@code shop}, whose user {@code bench} has no password; its general log tells of every
 * command.
 */
public final class MariaDbServer implements Server {
    private static final Pattern CONNECTION = Pattern.compile("\t *\\d+ Connect\t");
    private static final Pattern COMMAND = Pattern.compile("\t *\\d+ (?:Query|Prepare|Execute|Init DB|Ping)\t");

    private final Tool tool;
    private final int port;
    private final Path log;

    private MariaDbServer(Tool tool, int port, Path log) {
        this.tool = tool;
        this.port = port;
        this.log = log;
    }

    public static MariaDbServer start(Path folder) throws IOException, InterruptedException {
        Path home = Unprivileged.folder(folder.resolve("mariadb"));
        Path files = home.resolve("files");
        Path socket = home.resolve("s");
        Path log = home.resolve("general.log");
        Shell.run(Unprivileged.command(List.of(
                Programs.path("mariadb-install-db"),
                "--no-defaults",
                "--auth-root-authentication-method=normal",
                "--skip-test-db",
                "--datadir=" + files)));
        int port = FreePorts.next();
        Tool tool = Tool.start(
                home,
                Unprivileged.command(List.of(
                        Programs.path("mariadbd"),
                        "--no-defaults",
                        "--datadir=" + files,
                        "--socket=" + socket,
                        "--bind-address=127.0.0.1",
                        "--port=" + port,
                        "--skip-name-resolve",
                        "--skip-networking=0",
                        "--innodb-flush-log-at-trx-commit=0",
                        "--general-log=1",
                        "--general-log-file=" + log)));
        tool.awaitPort(port);
        Shell.run(List.of(
                Programs.path("mariadb"),
                "--no-defaults",
                "--socket=" + socket,
                "--user=root",
                "-e",
                "CREATE DATABASE shop; CREATE USER bench@'%'; GRANT ALL ON *.* TO bench@'%'"));
        return new MariaDbServer(tool, port, log);
    }

    /** The URL for production's driver, or the debug side's. */
    public static String url(int port, String properties) {
        return "jdbc:mariadb://127.0.0.1:" + port + "/shop?sslMode=disable" + properties;
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public Census census() throws IOException {
        String said = Files.readString(log, StandardCharsets.ISO_8859_1);
        return new Census(
                CONNECTION.matcher(said).results().count(),
                COMMAND.matcher(said).results().count());
    }

    @Override
    public void close() {
        tool.close();
    }
}
