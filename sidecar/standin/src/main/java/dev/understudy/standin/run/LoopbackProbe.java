package dev.understudy.standin.run;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Measures what a request costs in time before it reaches a stand-in and after it has left it: how long an empty one
 * takes. A recording's times have the same, so that it would count twice. It also warms the stand-in up.
 */
final class LoopbackProbe {
    /** What is asked; answered at once, without a body. */
    static final String PATH = "/understudy-standin/probe";

    private static final int ROUND_TRIPS = 2000;
    private static final int COUNTED = 500;
    private static final int TIMEOUT_MILLIS = 2000;
    private static final byte[] REQUEST = request("");
    private static final byte[] LAST = request("Connection: close\r\n");

    private LoopbackProbe() {}

    /**
     * The median of some round trips, in nanoseconds; takes less than a second.
     *
     * @throws IOException if the stand-in can't be reached from its own host
     */
    static long roundTripNanos(InetSocketAddress standIn) throws IOException {
        try (Socket socket = new Socket()) {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.connect(standIn, TIMEOUT_MILLIS);
            long[] took = new long[ROUND_TRIPS];
            for (int i = 0; i < ROUND_TRIPS; i++) {
                long begun = System.nanoTime();
                OutputStream out = socket.getOutputStream();
                out.write(REQUEST);
                readHead(socket.getInputStream());
                took[i] = System.nanoTime() - begun;
            }
            socket.getOutputStream().write(LAST);
            socket.getInputStream().readAllBytes();
            long[] last = Arrays.copyOfRange(took, ROUND_TRIPS - COUNTED, ROUND_TRIPS);
            Arrays.sort(last);
            return last[COUNTED / 2];
        }
    }

    private static byte[] request(String header) {
        return ("GET " + PATH + " HTTP/1.1\r\nHost: localhost\r\n" + header + "\r\n")
                .getBytes(StandardCharsets.US_ASCII);
    }

    /** Up to the empty line. */
    private static void readHead(InputStream in) throws IOException {
        byte[] buffer = new byte[512];
        int length = 0;
        while (length < 4 || buffer[length - 4] != '\r' || buffer[length - 3] != '\n' || buffer[length - 1] != '\n') {
            int read = in.read(buffer, length, buffer.length - length);
            if (read <= 0) {
                throw new IOException("the stand-in doesn't answer itself");
            }
            length += read;
        }
    }
}
