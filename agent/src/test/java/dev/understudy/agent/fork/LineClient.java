package dev.understudy.agent.fork;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static org.assertj.core.api.Assertions.assertThat;

/** A connection to a {@link LineServer}, or to a {@link NettyLineServer}. */
final class LineClient implements AutoCloseable {
    private static final Pattern PLACE = Pattern.compile("\"port\":(\\d+),\"from\":(\\d+),\"to\":(\\d+)");
    private static final byte[] LINE = "40\n".getBytes(StandardCharsets.US_ASCII);

    private final Socket socket;
    private final DataInputStream in;

    LineClient(ForkedJvm server) throws IOException {
        this.socket = server.connect();
        socket.setTcpNoDelay(true);
        this.in = new DataInputStream(socket.getInputStream());
    }

    /**
     * The same line again and again, by this connection and by others, of which how many are observed is the budget's
     * to say: each of those is known by its three bytes, however they came.
     */
    void assertExchangesAreKnownByTheirBytes(FakeSidecar sidecar, LineClient... others) throws Exception {
        Set<String> ports = new HashSet<>(Set.of(port()));
        for (LineClient other : others) {
            ports.add(other.port());
        }
        String batch = Patience.until(
                told -> PLACE.matcher(told).find()
                        && told.contains("SmallServer#price")
                        && told.contains("\"logged\":true"),
                () -> {
                    for (int i = 0; i < 50; i++) {
                        ask();
                        for (LineClient other : others) {
                            other.ask();
                        }
                    }
                    sidecar.report();
                    return sidecar.observationsSoFar();
                });
        Matcher place = PLACE.matcher(batch);
        Set<String> seen = new HashSet<>();
        while (place.find()) {
            seen.add(place.group(1));
            int from = Integer.parseInt(place.group(2));
            assertThat(from % LINE.length).as(batch).isZero();
            assertThat(Integer.parseInt(place.group(3))).as(batch).isEqualTo(from + LINE.length);
        }
        assertThat(seen).as(batch).isNotEmpty().isSubsetOf(ports);
    }

    /** In two parts, which may arrive as one. */
    void ask() throws IOException {
        socket.getOutputStream().write(LINE, 0, 1);
        socket.getOutputStream().write(LINE, 1, LINE.length - 1);
        assertThat(new String(in.readNBytes(4), StandardCharsets.US_ASCII)).isEqualTo("188\n");
    }

    String port() {
        return Integer.toString(socket.getLocalPort());
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
