package dev.understudy.sidecar.command;

import dev.understudy.relay.config.Overrides;
import dev.understudy.relay.config.Problems;
import dev.understudy.sidecar.Sidecar;
import dev.understudy.sidecar.config.SidecarConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.understudy.sidecar.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

/** A turn of bytes that belong to no exchange, by what {@code suspects} says of it. */
final class ReplayTurnTest {
    private static final int ROUNDS = 12;

    @TempDir
    Path folder;

    @Tag("slow")
    @Test
    void theExampleOfASuspect_isReplayedUpToItsTurn() throws Exception {
        String printed;
        AtomicInteger debugPort = new AtomicInteger();
        Queue<String> told = new ConcurrentLinkedQueue<>();
        try (ServerSocket production =
                        Replaying.lines(new ConcurrentLinkedQueue<>(), new AtomicInteger(), line -> line + " ok");
                ServerSocket debug =
                        Replaying.lines(told, debugPort, line -> line + (line.startsWith("odd") ? " no" : " ok"));
                Sidecar sidecar = sidecar(production, debug)) {
            String control = "http://127.0.0.1:" + sidecar.controlAddress().getPort();
            Ran.run("record", "start", "lines", "--url", control);
            int port = sidecar.addresses().values().iterator().next().getPort();
            for (List<String> words : List.of(List.of("calm "), List.of("even ", "odd "))) {
                int said = 0;
                try (Socket client = new Socket(InetAddress.getLoopbackAddress(), port)) {
                    for (int n = 0; n < words.size() * ROUNDS; n++) {
                        String line = words.get(n % words.size()) + (1 + n / words.size());
                        Replaying.ask(client, line + "\n", line + " ok\n");
                        await().until(() -> told.contains(line));
                        int to = said + line.length() + 1;
                        Replaying.observed(
                                control,
                                "\"port\":" + debugPort.get() + ",\"from\":" + said + ",\"to\":" + to,
                                line.startsWith("odd") ? "16" : "");
                        said = to;
                    }
                }
            }
            await().untilAsserted(() ->
                    assertThat(Ran.run("suspects", "--url", control)).asString().contains("A#b"));
            printed = Ran.run("suspects", "--url", control).out();
            Ran.run("record", "stop", "lines", "--url", control);
        }
        Matcher example = Pattern.compile("replay FILE (--connection \\d+ --exchange @\\S+) --to")
                .matcher(printed);
        assertThat(example.find()).as(printed).isTrue();
        String[] which = example.group(1).split(" ");

        Queue<String> again = new ConcurrentLinkedQueue<>();
        try (ServerSocket other = Replaying.lines(again, new AtomicInteger(), line -> line + " ok")) {
            Ran same = replay(other, which);
            assertThat(same.code()).as(same.toString()).isZero();
            assertThat(again).last().asString().startsWith("odd ");
            int round = Integer.parseInt(
                    again.stream().reduce((a, b) -> b).orElseThrow().substring(4));
            assertThat(again).as("no further than that").hasSize(2 * round);
            assertThat(printed).contains("tcp odd, ");
            assertThat(Ran.run("inspect", Replaying.recording(folder).toString(), "--requests")
                            .out())
                    .contains("  " + which[3] + "  odd, " + ("odd " + round + "\n").length() + " bytes\n");

            again.clear();
            Ran elsewhere = replay(other, which[0], which[1], "--exchange", "@1");
            assertThat(elsewhere.err()).contains("has no exchange @1 among its " + 2 * ROUNDS);
            Ran behind = replay(other, which[0], which[1], "--exchange", which[3] + "+1");
            assertThat(behind.err()).contains("has no exchange ");
            assertThat(again).as("nothing was sent").isEmpty();
        }
    }

    private Sidecar sidecar(ServerSocket production, ServerSocket debug) throws IOException {
        Path settings = Files.writeString(folder.resolve("sidecar.yaml"), """
                listeners:
                  - {name: lines, listen: '127.0.0.1:0', protocol: tcp, production: '127.0.0.1:%d', debug: \
                '127.0.0.1:%d'}
                control: {listen: '127.0.0.1:0', anonymous: admin}
                record: {directory: '%s'}
                drain: 100ms
                """.formatted(
                        production.getLocalPort(), debug.getLocalPort(), folder.resolve("recordings")));
        Problems problems = new Problems();
        return Sidecar.start(SidecarConfig.read(settings, new Overrides(Map.of(), List.of(), problems), problems));
    }

    private Ran replay(ServerSocket to, String... which) throws Exception {
        return Replaying.replay(Replaying.recording(folder), "127.0.0.1:" + to.getLocalPort(), which);
    }
}
