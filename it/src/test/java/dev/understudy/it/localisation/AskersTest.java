package dev.understudy.it.localisation;

import dev.understudy.it.fidelity.server.PostgresServer;
import dev.understudy.it.stage.NeedsPrograms;
import dev.understudy.it.stage.RealServer;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("process")
final class AskersTest {
    private static final int NO_NODE = -101;

    @TempDir
    Path folder;

    @Test
    @NeedsPrograms({"postgres", "initdb"})
    void aQuery_isAnsweredWithItsFirstRow_orItsErrorOrTag_orNothingInTime() throws Exception {
        try (PostgresServer server = PostgresServer.start(folder)) {
            PostgresServer.prepare(server, "CREATE ROLE sa SUPERUSER LOGIN", "CREATE TABLE t (a int NOT NULL)");
            try (Asker asker = new PostgresAsker(server.port(), "postgres")) {
                assertThat(asked(asker, "SELECT 1, NULL UNION ALL SELECT 2, 'x' ORDER BY 1"))
                        .isEqualTo("1|null");
                assertThat(asked(asker, "INSERT INTO t VALUES (NULL)")).isEqualTo("ERROR 23502");
                assertThat(asked(asker, "SELECT 7", "INSERT INTO t VALUES ({5..5})"))
                        .isEqualTo("INSERT 0 1");
                assertThat(asked(asker, "SELECT 41, 'x'", "SELECT {row} + 1")).isEqualTo("42");
                assertThat(asked(asker, "SELECT pg_sleep(600)")).isEqualTo("0");
                assertThat(asked(asker, "SELECT a FROM t"))
                        .as("on another connection")
                        .isEqualTo("5");
            }
        }
    }

    @Test
    @NeedsPrograms("redis-server")
    void messagesOfAnotherConnection_areCounted() throws Exception {
        try (RealServer server = RealServer.redis(folder);
                Asker asker = new RedisAsker(server.port())) {
            asked(asker, "SET received:1 x");

            assertThat(asked(asker, "other: SUBSCRIBE news", "PUBLISH news a", "EXISTS received:{received}"))
                    .isEqualTo(":1");
            assertThat(asked(asker, "other: SUBSCRIBE news", "EXISTS received:{received}"))
                    .isEqualTo(":0");
        }
    }

    @Test
    void aSession_countsEventsAndTellsErrorsByNumber() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                Asker asker = new ZooKeeperAsker(server.getLocalPort())) {
            Thread serving = new Thread(() -> serve(server));
            serving.setDaemon(true);
            serving.start();

            assertThat(asked(asker, "create /a 10")).isEqualTo("ok");
            assertThat(asked(asker, "get /nobody")).isEqualTo(Integer.toString(NO_NODE));
            assertThat(asked(asker, "watch /a", "exists /seen-{received}")).isEqualTo("ok");
        }
    }

    private static String asked(Asker asker, String... lines) throws Exception {
        return asker.ask(new Ask(1, false, List.of(lines), List.of(), ""), new Random(1));
    }

    /** Tells of an event after each watch; knows one session at a time, and the nodes /a and /seen-1. */
    private static void serve(ServerSocket server) {
        while (true) {
            try (Socket socket = server.accept()) {
                DataInputStream in = new DataInputStream(socket.getInputStream());
                DataOutputStream out = new DataOutputStream(socket.getOutputStream());
                in.skipNBytes(in.readInt());
                out.writeInt(36);
                out.write(new byte[36]);
                while (true) {
                    DataInputStream request =
                            new DataInputStream(new ByteArrayInputStream(in.readNBytes(in.readInt())));
                    int number = request.readInt();
                    int type = request.readInt();
                    String path =
                            type < 0 ? "" : new String(request.readNBytes(request.readInt()), StandardCharsets.UTF_8);
                    reply(out, number, path.equals("/nobody") || path.equals("/seen-0") ? NO_NODE : 0);
                    if (type == 106) {
                        reply(out, -1, 0);
                    }
                }
            } catch (IOException ended) {
                if (server.isClosed()) {
                    return;
                }
            }
        }
    }

    private static void reply(DataOutputStream out, int number, int error) throws IOException {
        out.writeInt(16);
        out.writeInt(number);
        out.writeLong(0);
        out.writeInt(error);
    }
}
