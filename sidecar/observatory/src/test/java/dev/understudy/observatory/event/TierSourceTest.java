package dev.understudy.observatory.event;

import dev.understudy.observatory.event.SourceCounts.Omission;
import dev.understudy.relay.stream.RecordingFile;
import dev.understudy.relay.stream.StreamEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class TierSourceTest {
    @TempDir
    private Path folder;

    private final List<TierExchange> exchanges = new ArrayList<>();

    private SourceCounts read(Path source) throws IOException {
        exchanges.clear();
        return TierSource.read("web", source, exchanges::add);
    }

    private RecordingFile recording() throws IOException {
        return new RecordingFile(folder.resolve("a.rec"));
    }

    @Test
    void http_isFramedFromTheFirstByteToTheLast() throws IOException {
        RecordingFile file = recording();
        try (file) {
            file.add(1, StreamEvent.OPENED, 0, "a to b")
                    .add(1, StreamEvent.REQUEST, 1_000, "POST /orders/17?x=1 HTTP/1.1\r\n")
                    .add(1, StreamEvent.REQUEST, 1_500, "Content-Length: 4\r\n\r\nab")
                    .add(1, StreamEvent.REQUEST, 2_000, "cd")
                    .add(1, StreamEvent.REPLY, 5_000, "HTTP/1.1 201 Created\r\nContent-Length: 5\r\n\r\nhe")
                    .add(1, StreamEvent.REPLY, 9_000, "llo")
                    .add(1, StreamEvent.CLOSED, 9_500, "closed");
        }
        SourceCounts counts = read(file.file());

        assertThat(counts.notes()).isEmpty();
        assertThat(exchanges).hasSize(1);
        TierExchange exchange = exchanges.get(0);
        assertThat(exchange.route()).isEqualTo("POST /orders/{n}");
        assertThat(exchange.startMicros()).isEqualTo(file.epochMicros() + 1_000);
        assertThat(exchange.endMicros()).isEqualTo(file.epochMicros() + 9_000);
        assertThat(exchange.status()).isEqualTo(201);
        assertThat(exchange.sure()).isTrue();
        assertThat(exchange.requestBytes()).isEqualTo(30 + 21 + 4);
    }

    @Test
    void pipelinedRequests_eachHaveTheirOwnReply() throws IOException {
        RecordingFile file = recording();
        try (file) {
            String reply = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
            file.add(1, StreamEvent.REQUEST, 100, "GET /a HTTP/1.1\r\n\r\nGET /b HTTP/1.1\r\n")
                    .add(1, StreamEvent.REQUEST, 300, "\r\n")
                    .add(1, StreamEvent.REPLY, 400, reply)
                    .add(1, StreamEvent.REPLY, 700, reply)
                    .exchange(1, "/c", 900, 1_000);
        }
        read(file.file());

        assertThat(exchanges).extracting(TierExchange::route).containsExactly("GET /a", "GET /b", "GET /c");
        assertThat(exchanges)
                .extracting(exchange -> exchange.startMicros() - file.epochMicros())
                .containsExactly(100L, 100L, 900L);
        assertThat(exchanges)
                .extracting(exchange -> exchange.endMicros() - file.epochMicros())
                .containsExactly(400L, 700L, 1_000L);
    }

    @Test
    void otherProtocols_areReadTurnByTurn() throws IOException {
        RecordingFile file = recording();
        try (file) {
            file.add(7, StreamEvent.REPLY, 10, "220 ready\r\n")
                    .add(7, StreamEvent.REQUEST, 100, "PING ")
                    .add(7, StreamEvent.REQUEST, 150, "x\r\n")
                    .add(7, StreamEvent.REPLY, 200, "+PO")
                    .add(7, StreamEvent.REPLY, 250, "NG\r\n")
                    .add(7, StreamEvent.REQUEST, 300, "\u0001\u0002\u0003")
                    .add(7, StreamEvent.REPLY, 330, "x")
                    .add(7, StreamEvent.REQUEST, 400, "QUIT\r\n")
                    .add(7, StreamEvent.CLOSED, 500, "");
        }
        SourceCounts counts = read(file.file());

        assertThat(exchanges).extracting(TierExchange::route).containsExactly("PING", "(turn)");
        assertThat(exchanges)
                .extracting(exchange -> exchange.endMicros() - file.epochMicros())
                .containsExactly(250L, 330L);
        assertThat(exchanges).noneMatch(TierExchange::sure);
        assertThat(counts.unsure()).isEqualTo(2);
        assertThat(counts.omitted(Omission.UNANSWERED)).isEqualTo(1);
    }

    @Test
    void whatIsMissing_isCounted() throws IOException {
        RecordingFile file = recording();
        try (file) {
            file.exchange(1, "/a", 100, 200)
                    .add(1, StreamEvent.REQUEST, 300, "GET /b HTTP/1.1\r\n\r\n")
                    .add(1, StreamEvent.LOST, 400, "no room")
                    .exchange(2, "/back", 900, 800)
                    .add(3, StreamEvent.REQUEST, 100, "GET /ws HTTP/1.1\r\nUpgrade: websocket\r\n\r\n")
                    .add(3, StreamEvent.REPLY, 200, "HTTP/1.1 101 Switching Protocols\r\n\r\n")
                    .add(3, StreamEvent.REPLY, 300, "\u0081\u0002hi");
        }
        SourceCounts counts = read(file.file());

        assertThat(exchanges).extracting(TierExchange::route).contains("GET /a").doesNotContain("GET /b", "GET /back");
        assertThat(counts.omitted(Omission.INCOMPLETE)).isEqualTo(1);
        assertThat(counts.omitted(Omission.UNANSWERED)).isEqualTo(1);
        assertThat(counts.omitted(Omission.BACKWARDS)).isEqualTo(1);
        assertThat(counts.omitted(Omission.UNFRAMED)).isEqualTo(1);
    }

    @Test
    void aTornRecording_isReadUpToThere() throws IOException {
        RecordingFile file = recording();
        try (file) {
            file.exchange(1, "/a", 100, 200).exchange(1, "/b", 300, 400);
        }
        byte[] whole = Files.readAllBytes(file.file());
        Path torn = folder.resolve("torn.rec");
        Files.write(torn, Arrays.copyOf(whole, whole.length - 5));
        SourceCounts counts = read(torn);

        assertThat(exchanges).extracting(TierExchange::route).containsExactly("GET /a");
        assertThat(counts.notes()).anyMatch(note -> note.contains("torn"));
    }

    @Test
    void damagedFiles_areReadOrRefusedButNeverThrowOut() throws IOException {
        RecordingFile file = recording();
        try (file) {
            for (int i = 0; i < 50; i++) {
                file.exchange(i % 5, "/a", 100L * i, 100L * i + 40);
            }
        }
        byte[] whole = Files.readAllBytes(file.file());
        Path damaged = folder.resolve("damaged.rec");
        for (int seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            byte[] bytes = whole.clone();
            for (int i = 0; i <= random.nextInt(8); i++) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            Files.write(damaged, bytes);
            try {
                read(damaged);
                assertThat(exchanges).as("seed %d", seed).hasSizeLessThanOrEqualTo(50);
            } catch (IOException refused) {
                assertThat(refused.getMessage()).as("seed %d", seed).isNotEmpty();
            }
        }
    }

    @Test
    void anyBytesOfAConnection_areReadWithoutAnError() throws IOException {
        String[] parts = {
            "GET /a HTTP/1.1\r\n\r\n",
            "HTTP/1.1 200 OK\r\n",
            "Content-Length: 3\r\n\r\n",
            "abc",
            "\r\n",
            "\u0000\u00ff",
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
            "POST /b HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n",
            "0\r\n\r\n"
        };
        StreamEvent[] events = StreamEvent.values();
        for (int seed = 0; seed < 40; seed++) {
            Random random = new Random(seed);
            RecordingFile file = new RecordingFile(folder.resolve("fuzz" + seed));
            try (file) {
                for (int i = 0; i < 60; i++) {
                    StreamEvent event = random.nextInt(8) > 0
                            ? random.nextBoolean() ? StreamEvent.REQUEST : StreamEvent.REPLY
                            : events[random.nextInt(events.length)];
                    file.add(random.nextInt(3), event, random.nextInt(100_000), parts[random.nextInt(parts.length)]);
                }
            }
            SourceCounts counts = read(file.file());
            assertThat(counts.exchanges()).as("seed %d", seed).isEqualTo(exchanges.size());
        }
    }

    @Test
    void whatIsNoSource_isRefusedWithItsName() throws IOException {
        Path text = Files.writeString(folder.resolve("notes.txt"), "no recording, but longer than its header is");
        Path empty = Files.createDirectory(folder.resolve("empty"));

        assertThatThrownBy(() -> read(folder.resolve("gone"))).hasMessageContaining("gone");
        assertThatThrownBy(() -> read(text)).hasMessageContaining("notes.txt");
        assertThatThrownBy(() -> read(empty)).hasMessageContaining("empty").hasMessageContaining("segment");
    }

    @Test
    void requestsThatNobodyAnswers_areHeldUpToABound() throws IOException {
        RecordingFile file = recording();
        try (file) {
            for (int i = 0; i < HttpExchanges.MOST_PIPELINED / 100 + 1; i++) {
                file.add(1, StreamEvent.REQUEST, i, "GET /a HTTP/1.1\r\n\r\n".repeat(100));
            }
        }
        assertThat(read(file.file()).omitted(Omission.UNFRAMED)).isEqualTo(1);
    }

    @Test
    void connectionsThatNeverEnd_areHeldUpToABound() throws IOException {
        RecordingFile file = recording();
        int open = RecordingExchanges.MOST_OPEN;
        try (file) {
            for (int i = 0; i <= open; i++) {
                file.add(i, StreamEvent.OPENED, i, "");
            }
            file.exchange(1, "/a", 10, 20).exchange(open, "/b", 10, 20);
        }
        SourceCounts counts = read(file.file());
        assertThat(exchanges).extracting(TierExchange::route).containsExactly("GET /a");
        assertThat(counts.omitted(Omission.INCOMPLETE)).isEqualTo(3);
    }

    @Test
    void aFullTier_saysHowToGoOn() throws IOException {
        RecordingFile file = recording();
        try (file) {
            for (int i = 0; i < 6; i++) {
                file.exchange(1, "/a", 100L * i, 100L * i + 40);
            }
        }
        ExchangeColumns columns = new ExchangeColumns("web", 5);
        assertThatThrownBy(() -> TierSource.read("web", file.file(), columns::add))
                .isInstanceOf(TierOverflow.class)
                .hasMessageContaining("--most-exchanges");
        assertThat(columns.size()).isEqualTo(5);
    }

    @Test
    void routesWithoutEnd_becomeOne() throws IOException {
        ExchangeColumns columns = new ExchangeColumns("web");
        for (int i = 0; i < ExchangeColumns.MOST_ROUTES + 500; i++) {
            columns.add("GET /" + i, i, i + 1, true);
        }
        assertThat(columns.routes()).hasSize(ExchangeColumns.MOST_ROUTES + 1);
        assertThat(columns.route(columns.size() - 1)).isEqualTo(columns.route(columns.size() - 2));
    }
}
