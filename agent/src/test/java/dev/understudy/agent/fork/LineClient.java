package dev.understudy.agent.fork;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
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
        this.in = new DataInputStream(socket.getInputStream());
    }

    /** The same line again and again, of which how many are observed is the budget's to say: each of those is known by its three bytes. */
    void assertExchangesAreKnownByTheirBytes(FakeSidecar sidecar) throws Exception {
        for (int i = 0; i < 50; i++) {
            ask();
        }
        String batch = sidecar.observations();
        Matcher place = PLACE.matcher(batch);
        int places = 0;
        while (place.find()) {
            assertThat(place.group(1)).isEqualTo(Integer.toString(socket.getLocalPort()));
            int from = Integer.parseInt(place.group(2));
            assertThat(from % LINE.length).as(batch).isZero();
            assertThat(Integer.parseInt(place.group(3))).as(batch).isEqualTo(from + LINE.length);
            places++;
        }
        assertThat(places).as(batch).isPositive();
        assertThat(batch).contains("SmallServer#price", "\"logged\":true");
    }

    void ask() throws IOException {
        socket.getOutputStream().write(LINE);
        assertThat(new String(in.readNBytes(4), StandardCharsets.US_ASCII)).isEqualTo("188\n");
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
