package dev.understudy.divergence.wire.mysql.result;

import dev.understudy.divergence.wire.mysql.Capabilities;
import dev.understudy.divergence.wire.mysql.MalformedPacketException;
import dev.understudy.divergence.wire.mysql.MySqlWriter;
import dev.understudy.divergence.wire.mysql.ServerStatus;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ResultReaderTest {
    private static final byte[] COLUMN =
            new MySqlWriter().value("def").value("c").toBytes();
    private static final byte[] NONE = {};

    @Test
    void whatIsWritten_readsTheSame_withAnyCapabilities() {
        for (long seed = 0; seed < 500; seed++) {
            Random random = new Random(seed);
            List<Result> results = results(random);
            for (long bits : new long[] {
                0,
                Capabilities.DEPRECATE_EOF,
                Capabilities.DEPRECATE_EOF | Capabilities.SESSION_TRACK,
                Capabilities.MARIADB_CACHE_METADATA
            }) {
                assertThat(describe(read(results, new Capabilities(bits), List.of())))
                        .as("seed " + seed + " capabilities " + bits)
                        .isEqualTo(describe(results));
            }
        }
    }

    @Test
    void columnsLeftOut_areThoseOfBefore() {
        Capabilities agreed = new Capabilities(Capabilities.MARIADB_CACHE_METADATA | Capabilities.DEPRECATE_EOF);
        ResultReader reader = new ResultReader(agreed, List.of(COLUMN));
        assertThat(reader.read(new byte[] {1, 0})).isFalse();
        assertThat(reader.read(new byte[] {0, 0, 5})).isFalse();
        assertThat(reader.read(Ok.of(2).encode(0xfe, agreed))).isTrue();
        assertThat(((Rows) reader.results().get(0)).columns()).containsExactly(COLUMN);
    }

    @Test
    void cursor_isOpenUntilItsLastRow() {
        Capabilities agreed = new Capabilities(0);
        ResultReader reader = new ResultReader(agreed, List.of());
        reader.read(new byte[] {1});
        reader.read(COLUMN);
        assertThat(reader.read(Ok.of(ServerStatus.CURSOR_EXISTS).encodeEof())).isTrue();
        assertThat(reader.cursor()).isTrue();
        ResultReader fetch = ResultReader.ofFetch(agreed, List.of(COLUMN));
        fetch.read(new byte[] {0, 0, 1});
        assertThat(fetch.read(Ok.of(ServerStatus.CURSOR_EXISTS | ServerStatus.LAST_ROW_SENT)
                        .encodeEof()))
                .isTrue();
        assertThat(fetch.cursor()).isFalse();
    }

    @Test
    void requestForAFile_isNoResult() {
        ResultReader reader = new ResultReader(new Capabilities(0), List.of());
        assertThat(reader.read(new byte[] {(byte) 0xfb, 'x'})).isTrue();
        assertThat(reader.asksForFile()).isTrue();
    }

    @Test
    void mutatedPackets_areMalformedOrRead() {
        for (long seed = 0; seed < 20_000; seed++) {
            Random random = new Random(seed);
            Capabilities agreed = new Capabilities(random.nextLong());
            List<byte[]> packets = new ArrayList<>();
            new ResultWriter(agreed, packets::add).write(results(random));
            ResultReader reader = new ResultReader(agreed, List.of(COLUMN));
            PrepareReader prepare = new PrepareReader(agreed);
            try {
                for (byte[] packet : packets) {
                    byte[] copy = Arrays.copyOf(packet, random.nextInt(packet.length + 1));
                    if (copy.length > 0 && random.nextBoolean()) {
                        copy[random.nextInt(copy.length)] = (byte) random.nextInt();
                    }
                    byte[] sent = random.nextInt(3) == 0 ? copy : packet;
                    boolean prepared = prepare.read(sent);
                    if (reader.read(sent) || prepared) {
                        break;
                    }
                }
                assertThat(reader.results()).as("seed " + seed).hasSizeLessThanOrEqualTo(packets.size());
            } catch (MalformedPacketException expected) {
                assertThat(expected.getMessage()).as("seed " + seed).isNotEmpty();
            }
        }
    }

    private static List<Result> read(List<Result> results, Capabilities agreed, List<byte[]> known) {
        ResultReader reader = new ResultReader(agreed, known);
        List<Boolean> last = new ArrayList<>();
        new ResultWriter(agreed, packet -> last.add(reader.read(packet))).write(results);
        assertThat(last.indexOf(true)).isEqualTo(last.size() - 1);
        return reader.results();
    }

    private static List<Result> results(Random random) {
        List<Result> results = new ArrayList<>();
        for (int i = random.nextInt(3); i >= 0; i--) {
            Ok ok = new Ok(random.nextInt(500), random.nextLong() >>> 1, random.nextInt(4), 1, NONE, NONE);
            if (random.nextBoolean()) {
                results.add(ok);
            } else {
                List<byte[]> rows = new ArrayList<>();
                for (int row = random.nextInt(5); row > 0; row--) {
                    rows.add(new MySqlWriter().value("r" + random.nextInt(99)).toBytes());
                }
                results.add(new Rows(List.of(COLUMN, COLUMN), rows, Ok.of(random.nextInt(4))));
            }
        }
        if (random.nextInt(4) == 0) {
            results.add(new Err(1062, "23000", "Duplicate entry"));
        }
        return results;
    }

    /** Without the flag that says that more follow. */
    private static List<String> describe(List<Result> results) {
        List<String> lines = new ArrayList<>();
        for (Result result : results) {
            String ending = result.ending() instanceof Ok ok
                    ? ok.affected() + " " + ok.insertId() + " " + (ok.status() & ~ServerStatus.MORE_RESULTS)
                    : result.ending().toString();
            String rows = result instanceof Rows set
                    ? set.columns().size() + " "
                            + set.rows().stream().map(Arrays::toString).toList()
                    : "";
            lines.add(rows + " " + ending);
        }
        return lines;
    }
}
