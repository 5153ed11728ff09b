package dev.understudy.session.target.proc;

import dev.understudy.session.host.ProcessStart;
import dev.understudy.session.target.UnixPeer;
import dev.understudy.session.target.proc.TcpSocket.State;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

final class ProcParsersTest {
    private static final String TCP =
            "  12: 0100007F:1538 0200007F:D431 01 00000000:00000000 02:00000A1B 00000000  1000"
                    + "        0 20256019 2 0000000000000000 20 4 30 10 -1";
    private static final String TCP6 =
            "   0: 00000000000000000000000000000000:1F90 00000000000000000000000000000000:0000 0A"
                    + " 00000000:00000000 00:00000000 00000000     0        0 777 1 0000000000000000 100 0 0 10 0";
    private static final String MAPPED_IPV4 = "   3: 0000000000000000FFFF00000100007F:1F90"
            + " 0000000000000000FFFF00000100007F:1538 02 00000000:00000000 00:00000000 00000000 0 0 9 1";

    @Test
    void tcpSocket_isRead() {
        assertThat(TcpSocket.parse(TCP))
                .contains(new TcpSocket(
                        new InetSocketAddress("127.0.0.1", 5432),
                        new InetSocketAddress("127.0.0.2", 54321),
                        State.ESTABLISHED,
                        20256019));
        assertThat(TcpSocket.parse(TCP6))
                .contains(new TcpSocket(
                        new InetSocketAddress("::", 8080), new InetSocketAddress("::", 0), State.LISTENING, 777));
        assertThat(TcpSocket.parse(MAPPED_IPV4))
                .contains(new TcpSocket(
                        new InetSocketAddress("127.0.0.1", 8080),
                        new InetSocketAddress("127.0.0.1", 5432),
                        State.CONNECTING,
                        9));
    }

    @Test
    void tcpSocket_isNoneOfAHeading_orOfHalfALine() {
        assertThat(TcpSocket.parse("  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt uid"))
                .isEmpty();
        for (int end = 0; end < TCP.indexOf("20256019"); end++) {
            assertThat(TcpSocket.parse(TCP.substring(0, end))).isEmpty();
        }
    }

    @Test
    void start_isRead_whateverTheProcessIsCalled() {
        String rest = " S 1 2 3 0 -1 4194560 1 0 0 0 1 1 0 0 20 0 7 0 987654 1 1";
        assertThat(ProcessStart.ticks("1 (java)" + rest)).hasValue(987_654);
        assertThat(ProcessStart.ticks("1 (a) S 1 2 (b))" + rest)).hasValue(987_654);
        assertThat(ProcessStart.ticks("1 java" + rest)).isEmpty();
        assertThat(ProcessStart.ticks("")).isEmpty();
    }

    @Test
    void mapping_isRead_withBlanksInItsPath() {
        assertThat(Mapping.parse("7f0-7f1 rw-s 00000000 08:01 12   /a b/c.dat (deleted)"))
                .contains(new Mapping("/a b/c.dat", true, true));
        assertThat(Mapping.parse("7f0-7f1 rw-p 00000000 08:01 12   /a")).contains(new Mapping("/a", false, false));
        assertThat(Mapping.parse("7f0-7f1 rw-p 00000000 00:00 0   [heap]")).isEmpty();
        assertThat(Mapping.parse("7f0-7f1 rw-p 00000000 00:00 0")).isEmpty();
    }

    @Test
    void unixPeers_areFoundByTheirOtherEnd() {
        String output = """
                u_str ESTAB 0      0                  * 10 * 20
                u_str ESTAB 0      0      /run/a b.sock 20 * 10
                u_str ESTAB 0      0                  * 11 * 21
                u_str ESTAB 0      0                  * 12 * 13
                u_str ESTAB 0      0                  * 13 * 12
                u_str ESTAB 0      0                  * 14 * 0
                u_seq ESTAB 0      0      /run/a b.sock 22 * 15
                u_seq ESTAB 0      0                  * 15 * 22
                """;

        assertThat(UnixSockets.peers(output, Set.of(10L, 11L, 12L, 13L, 14L, 15L)))
                .containsExactly(new UnixPeer("", 1), new UnixPeer("/run/a b.sock", 2));
    }

    @Test
    void openingFlags_areRead() {
        assertThat(Descriptors.flags("pos:\t0\nflags:\t0102001\nmnt_id:\t9\n")).isEqualTo(0102001);
        assertThat(Descriptors.flags("pos:\t0\nflags:\t9\n")).isZero();
        assertThat(Descriptors.flags("")).isZero();
    }

    @Test
    void damagedInput_throwsNothing() {
        List<Consumer<String>> parsers = List.of(
                TcpSocket::parse,
                Mapping::parse,
                ProcessStatus::parse,
                ProcessStart::ticks,
                Descriptors::flags,
                text -> UnixSockets.peers(text, Set.of(1L)));
        List<String> seeds = List.of(
                TCP,
                TCP6,
                MAPPED_IPV4,
                "State:\tS\nTgid:\t1\nUid:\t1\t2\nGid:\t1 1\nVmRSS: 99999999999999999999 kB\nThreads:\t-1\n",
                "1 (x) S 1 2 3 0 -1 4194560 1 0 0 0 1 1 0 0 20 0 7 0 987654 1 1",
                "7f0-7f1 rw-s 00000000 08:01 12   /a (deleted)",
                "flags:\t0102001",
                "u_str ESTAB 0      0      /run/a.sock 20 * 10");
        for (int seed = 0; seed < 20_000; seed++) {
            Random random = new Random(seed);
            String damaged = damaged(seeds.get(random.nextInt(seeds.size())), random);
            for (Consumer<String> parser : parsers) {
                assertThatCode(() -> parser.accept(damaged))
                        .as("seed %d: %s", seed, damaged)
                        .doesNotThrowAnyException();
            }
        }
    }

    private static String damaged(String text, Random random) {
        StringBuilder damaged = new StringBuilder(text);
        for (int n = random.nextInt(6); n >= 0; n--) {
            int at = random.nextInt(damaged.length() + 1);
            switch (random.nextInt(4)) {
                case 0 -> damaged.setLength(at);
                case 1 -> damaged.insert(at, (char) random.nextInt(300));
                case 2 -> damaged.insert(at, "9".repeat(random.nextInt(30)));
                default -> damaged.insert(at, ": -()\t\n\0".charAt(random.nextInt(8)));
            }
        }
        return damaged.toString();
    }
}
