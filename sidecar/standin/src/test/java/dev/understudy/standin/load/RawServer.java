package dev.understudy.standin.load;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Answers the first request of each connection with fixed bytes, then closes it; with nothing it just waits. */
final class RawServer implements AutoCloseable {
    private final ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final String reply;

    RawServer(String reply) throws IOException {
        this.reply = reply;
        threads.execute(this::accept);
    }

    LoadTarget target() {
        return new LoadTarget("127.0.0.1", socket.getLocalPort());
    }

    private void accept() {
        try {
            while (true) {
                Socket client = socket.accept();
                threads.execute(() -> serve(client));
            }
        } catch (IOException closed) {
            threads.shutdownNow();
        }
    }

    private void serve(Socket client) {
        try (client;
                BufferedReader lines = new BufferedReader(
                        new InputStreamReader(client.getInputStream(), StandardCharsets.ISO_8859_1))) {
            String line = lines.readLine();
            while (line != null && (reply.isEmpty() || !line.isEmpty())) {
                line = lines.readLine();
            }
            client.getOutputStream().write(reply.getBytes(StandardCharsets.ISO_8859_1));
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
