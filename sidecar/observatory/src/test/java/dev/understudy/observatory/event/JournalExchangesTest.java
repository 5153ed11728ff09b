package dev.understudy.observatory.event;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.exchange.PackedReader;
import dev.understudy.aggregator.exchange.PackedWriter;
import dev.understudy.aggregator.exchange.Recorded;
import dev.understudy.aggregator.exchange.RecordedReply;
import dev.understudy.aggregator.exchange.ReplyCodec;
import dev.understudy.aggregator.journal.disk.JournalDisk;
import dev.understudy.aggregator.journal.disk.Stored;
import dev.understudy.observatory.event.SourceCounts.Omission;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** Reads what the aggregator's own code wrote. */
final class JournalExchangesTest {
    @TempDir
    private Path folder;

    private record Words(String text) implements RecordedReply {
        @Override
        public long bytes() {
            return text.length();
        }

        @Override
        public long answer() {
            return text.hashCode();
        }
    }

    private static final class WordsCodec implements ReplyCodec<Words> {
        @Override
        public int format() {
            return 77;
        }

        @Override
        public void encode(Words reply, PackedWriter out) {
            out.text(reply.text());
        }

        @Override
        public Words decode(PackedReader in, @Nullable Object kept) throws IOException {
            return new Words(in.text());
        }
    }

    private List<Stored> write(long nowNanos, int exchanges, boolean strikeFirst) throws Exception {
        List<Stored> stored = new ArrayList<>();
        try (JournalDisk<Words> disk = JournalDisk.open(
                folder, "db", 64 << 20, new WordsCodec(), UnpooledByteBufAllocator.DEFAULT, nowNanos, null)) {
            for (int i = 0; i < exchanges; i++) {
                CompletableFuture<Stored> written = new CompletableFuture<>();
                long start = nowNanos + i * 1_000_000L;
                Recorded<Words> exchange = new Recorded<>(
                        i + 1, Form.of("SELECT", "SELECT " + i), 3, start, start + 250_000, new Words("x".repeat(300)));
                assertThat(disk.write(exchange, written::complete)).isTrue();
                stored.add(written.get(60, TimeUnit.SECONDS));
            }
            if (strikeFirst) {
                disk.free(stored.get(0));
            }
        }
        return stored;
    }

    @Test
    void exchanges_haveTheWallClockOfTheirProcess() throws Exception {
        long before = System.currentTimeMillis() * 1000;
        write(5_000_000_000L, 4, true);
        long after = System.currentTimeMillis() * 1000;
        List<TierExchange> exchanges = new ArrayList<>();
        SourceCounts counts = TierSource.read("db", folder, exchanges::add);

        assertThat(exchanges).hasSize(3).allMatch(exchange -> exchange.route().equals("SELECT"));
        assertThat(exchanges.get(0).startMicros()).isBetween(before + 1_000, after + 1_000);
        assertThat(exchanges.get(0).endMicros() - exchanges.get(0).startMicros())
                .isEqualTo(250);
        assertThat(exchanges.get(2).startMicros() - exchanges.get(0).startMicros())
                .isEqualTo(2_000);
        assertThat(counts.omitted(Omission.STRUCK)).isEqualTo(1);
        assertThat(counts.notes()).anyMatch(note -> note.contains("256 bytes"));
    }

    @Test
    void damagedJournals_areReadAsFarAsTheyGo() throws Exception {
        write(5_000_000_000L, 20, false);
        Path segment;
        try (var files = Files.list(folder)) {
            segment = files.filter(file -> file.getFileName().toString().startsWith("segment"))
                    .findFirst()
                    .orElseThrow();
        }
        byte[] whole = Files.readAllBytes(segment);
        for (int seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            byte[] bytes = whole.clone();
            for (int i = 0; i <= random.nextInt(6); i++) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            Files.write(segment, bytes);
            List<TierExchange> exchanges = new ArrayList<>();
            SourceCounts counts = TierSource.read("db", folder, exchanges::add);
            assertThat(exchanges).as("seed %d", seed).hasSizeLessThanOrEqualTo(20);
            assertThat(counts.exchanges()).as("seed %d", seed).isEqualTo(exchanges.size());
        }
    }
}
