package dev.understudy.agent.handshake;

import dev.understudy.agent.Fuzz;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

import static org.assertj.core.api.Assertions.assertThat;

final class OwnSocketsTest {
    private static final String FROM = "7f000001:49153";
    private static final String LISTENING = row("00000000:1F90", "00000000:0000", "0A", "11");

    static String row(String local, String remote, String state, String inode) {
        return "   3: " + local + " " + remote + " " + state + " 00000000:00000000 00:00000000 00000000  1000        0 "
                + inode + " 1 0000000000000000 100 0 0 10 0";
    }

    @Test
    void aConnectionThatThisProcessHasAccepted_isIts() {
        List<String> lines = List.of(LISTENING, row("0100007F:1F90", "0100007F:C001", "01", "12"));

        assertThat(read(lines, FROM, "11", "12").accepted()).isTrue();
        assertThat(read(lines, "7f000001:49154", "11", "12").accepted()).isFalse();
        assertThat(read(lines, "7f000002:49153", "11", "12").accepted()).isFalse();
    }

    /** Two processes may listen on one port, at two addresses of one machine. */
    @Test
    void aConnectionThatAnotherProcessHasAccepted_orNobodyYet_isNoneOfOurs() {
        List<String> lines = List.of(
                LISTENING,
                row("0200007F:1F90", "00000000:0000", "0A", "21"),
                row("0200007F:1F90", "0100007F:C001", "01", "22"),
                row("0200007F:1F90", "0100007F:C002", "01", "0"));

        assertThat(read(lines, FROM, "11").listens()).isTrue();
        assertThat(read(lines, FROM, "11").accepted()).isFalse();
        assertThat(read(lines, "7f000001:49154", "11").accepted()).isFalse();
        assertThat(read(lines, FROM, "99").listens()).isFalse();
    }

    @Test
    void aConnectionThatThisProcessMadeItself_isNoneThatCameToIt() {
        List<String> lines = List.of(LISTENING, row("0100007F:C005", "0100007F:1F91", "01", "12"));

        assertThat(read(lines, "7f000001:8081", "11", "12").accepted()).isFalse();
    }

    @Test
    void aConnectionThatEnds_isNone() {
        List<String> lines = List.of(LISTENING, row("0100007F:1F90", "0100007F:C001", "06", "12"));

        assertThat(read(lines, FROM, "11", "12").accepted()).isFalse();
    }

    @Test
    void addressesOfBothKinds_areRead_mappedOnesAsWhatTheyAre() {
        String any = "00000000000000000000000000000000";
        List<String> lines = List.of(
                row(any + ":1F90", any + ":0000", "0A", "11"),
                row("0000000000000000FFFF00000100007F:1F90", "0000000000000000FFFF00000200000A:C001", "01", "12"),
                row("B80D0120000000000000000001000000:1F90", "B80D0120000000000000000002000000:C002", "01", "13"));

        assertThat(read(lines, "0a000002:49153", "11", "12", "13").accepted()).isTrue();
        assertThat(read(lines, "20010db8000000000000000000000002:49154", "11", "12", "13")
                        .accepted())
                .isTrue();
    }

    @Test
    void whateverTheKernelWrites_nothingIsThrown() {
        String good = row("0100007F:1F90", "0100007F:C001", "01", "12");
        for (int seed = 0; seed < Fuzz.rounds(2000); seed++) {
            Random random = new Random(seed);
            StringBuilder line = new StringBuilder(good);
            for (int i = 0; i < 1 + seed % 7; i++) {
                line.setCharAt(random.nextInt(line.length()), (char) random.nextInt(128));
            }
            List<String> lines = List.of(LISTENING, line.substring(0, random.nextInt(line.length())), line.toString());
            assertThat(read(lines, FROM, "11", "12").listens())
                    .as("seed %d", seed)
                    .isTrue();
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aRealConnection_isSeenOnceItIsAccepted() throws IOException {
        try (ServerSocketChannel server =
                        ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                SocketChannel client = SocketChannel.open(server.getLocalAddress())) {
            InetSocketAddress local = (InetSocketAddress) client.getLocalAddress();
            String from = HexFormat.of().formatHex(local.getAddress().getAddress()) + ":" + local.getPort();

            assertThat(OwnSockets.read(Set.of(from)).listens()).isTrue();
            assertThat(OwnSockets.read(Set.of(from)).accepted()).isFalse();
            try (SocketChannel accepted = server.accept()) {
                assertThat(accepted.isConnected()).isTrue();
                assertThat(OwnSockets.read(Set.of(from)).accepted()).isTrue();
                assertThat(OwnSockets.read(Set.of(from.replaceAll(":.*", ":1"))).accepted())
                        .isFalse();
            }
        }
    }

    @Test
    void whereThisProcessListens_isKnownByAddressAndPort() {
        String any = "00000000000000000000000000000000";
        OwnSockets own = read(
                List.of(
                        row("0100007F:1F90", "00000000:0000", "0A", "11"),
                        row("00000000:1F91", "00000000:0000", "0A", "12"),
                        row(any + ":1F92", any + ":0000", "0A", "13"),
                        row("0100007F:1F93", "00000000:0000", "0A", "99")),
                FROM,
                "11",
                "12",
                "13");
        byte[] loopback = {127, 0, 0, 1};
        byte[] second = {127, 0, 0, 2};
        byte[] six = new byte[16];
        six[15] = 1;

        assertThat(own.listensAt(loopback, 8080)).isTrue();
        assertThat(own.listensAt(second, 8080)).isFalse();
        assertThat(own.listensAt(six, 8080)).isFalse();
        assertThat(own.listensAt(second, 8081)).isTrue();
        assertThat(own.listensAt(six, 8081)).isFalse();
        assertThat(own.listensAt(second, 8082)).isTrue();
        assertThat(own.listensAt(six, 8082)).isTrue();
        assertThat(own.listensAt(loopback, 8083)).as("another process's").isFalse();
        assertThat(own.listensAt(loopback, 8084)).isFalse();
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aRealListener_isSeenUntilItCloses() throws IOException {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        int port;
        try (ServerSocketChannel server = ServerSocketChannel.open().bind(new InetSocketAddress(loopback, 0))) {
            port = server.socket().getLocalPort();
            assertThat(OwnSockets.listenAt(loopback, port)).isTrue();
        }
        assertThat(OwnSockets.listenAt(loopback, port)).isFalse();
    }

    private static OwnSockets read(List<String> lines, String from, String... own) {
        return OwnSockets.of(OwnSockets.rows(lines.stream(), Set.of(from)), Set.of(own));
    }
}
