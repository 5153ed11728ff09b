package dev.understudy.sidecar.command;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

import static org.awaitility.Awaitility.await;

/** {@code record} at work, until it is stopped. */
record RecordingProxy(int port, CountDownLatch stopped, CompletableFuture<Ran> running) {
    /** Returns once it accepts. */
    static RecordingProxy open(String to, Path file) throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        CountDownLatch stopped = new CountDownLatch(1);
        CompletableFuture<Ran> running = CompletableFuture.supplyAsync(() ->
                Ran.run(stopped, "record", "--listen", "127.0.0.1:" + port, "--to", to, "--file", file.toString()));
        await().until(() -> Files.exists(file) && accepts(port));
        return new RecordingProxy(port, stopped, running);
    }

    private static boolean accepts(int port) {
        try (ServerSocket mine = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return mine.getLocalPort() != port;
        } catch (IOException taken) {
            return true;
        }
    }

    Ran stop() throws Exception {
        stopped.countDown();
        return running.get();
    }
}
