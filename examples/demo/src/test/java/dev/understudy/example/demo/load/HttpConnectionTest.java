package dev.understudy.example.demo.load;

import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class HttpConnectionTest {
    private static final String REPLIES = "HTTP/1.1 200 \r\nContent-Length: 5\r\nX-A:  b \r\n\r\nfirst"
            + "HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nsec\r\nA\r\nond is ten\r\n0\r\n\r\n"
            + "HTTP/1.1 204 No Content\r\n\r\n";

    @Test
    void replies_areReadAndCountedHoweverTheyArrive() throws Exception {
        for (long seed = 0; seed < 50; seed++) {
            byte[] replies = REPLIES.getBytes(StandardCharsets.US_ASCII);
            long current = seed;
            try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                CompletableFuture<Void> sent = CompletableFuture.runAsync(() -> send(server, replies, current));
                try (HttpConnection connection = new HttpConnection(server.getLocalPort())) {
                    HttpReply first = connection.exchange("GET", "/1", Map.of(), new byte[0]);
                    HttpReply second = connection.exchange("GET", "/2", Map.of(), new byte[0]);
                    HttpReply third = connection.exchange("GET", "/3", Map.of(), new byte[0]);
                    assertThat(first.body()).as("seed %d", seed).asString().isEqualTo("first");
                    assertThat(first.header("x-a")).isEqualTo("b");
                    assertThat(second.status()).isEqualTo(201);
                    assertThat(second.body()).as("seed %d", seed).asString().isEqualTo("second is ten");
                    assertThat(third.body()).isEmpty();
                    assertThat(connection.received()).as("seed %d", seed).isEqualTo(replies.length);
                }
                sent.join();
            }
        }
    }

    @Test
    void request_isSentAndCountedWhole() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                HttpConnection connection = new HttpConnection(server.getLocalPort());
                Socket socket = server.accept()) {
            socket.getOutputStream().write("HTTP/1.1 204 \r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            connection.exchange("POST", "/x", Map.of("A", "b"), new byte[] {'h', 'i'});
            byte[] received = socket.getInputStream().readNBytes((int) connection.sent());
            assertThat(received)
                    .asString()
                    .isEqualTo("POST /x HTTP/1.1\r\nHost: 127.0.0.1\r\nA: b\r\nContent-Length: 2\r\n\r\nhi");
            assertThat(socket.getInputStream().available()).isZero();
        }
    }

    @Test
    void lostConnection_isAnErrorAndNeverRetried() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                HttpConnection connection = new HttpConnection(server.getLocalPort())) {
            try (Socket socket = server.accept()) {
                socket.getOutputStream()
                        .write("HTTP/1.1 200 \r\nContent-Length: 5\r\n\r\nfir".getBytes(StandardCharsets.US_ASCII));
                socket.shutdownOutput();
                assertThatThrownBy(() -> connection.exchange("GET", "/", Map.of(), new byte[0]))
                        .isInstanceOf(EOFException.class);
            }
        }
    }

    private static void send(ServerSocket server, byte[] replies, long seed) {
        Random random = new Random(seed);
        try (Socket socket = server.accept()) {
            socket.setTcpNoDelay(true);
            OutputStream out = socket.getOutputStream();
            for (int at = 0; at < replies.length; ) {
                int length = Math.min(replies.length - at, 1 + random.nextInt(20));
                out.write(replies, at, length);
                at += length;
            }
            socket.getInputStream().readAllBytes();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
