package dev.understudy.relay;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;

/** Production as a test sees it: answers every byte that it reads with its name's first letter. */
final class NamedServer implements AutoCloseable {
    private final ServerSocket server;
    private final byte name;
    private final Thread accepting;

    private NamedServer(String name, InetAddress address, int port) throws IOException {
        this.name = name.getBytes(StandardCharsets.US_ASCII)[0];
        this.server = new ServerSocket();
        server.setReuseAddress(true);
        server.bind(new InetSocketAddress(address, port), 500);
        this.accepting = daemon(this::serve);
    }

    static NamedServer open(String name) throws IOException {
        return open(name, 0);
    }

    static NamedServer open(String name, int port) throws IOException {
        return new NamedServer(name, InetAddress.getLoopbackAddress(), port);
    }

    static NamedServer open(String name, String address, int port) throws IOException {
        return new NamedServer(name, InetAddress.getByName(address), port);
    }

    /** The same as a program: {@code name port}. */
    public static void main(String[] args) throws IOException {
        NamedServer server = open(args[0], Integer.parseInt(args[1]));
        System.out.println(server.port());
        System.in.read();
    }

    int port() {
        return server.getLocalPort();
    }

    private void serve() {
        try {
            while (true) {
                Socket socket = server.accept();
                daemon(() -> answer(socket));
            }
        } catch (SocketException closed) {
            return;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void answer(Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            while (socket.getInputStream().read() >= 0) {
                socket.getOutputStream().write(name);
            }
        } catch (IOException gone) {
            // the client went away
            return;
        }
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "named-server");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    /** Returns once nobody is accepted any more. */
    @Override
    public void close() throws IOException {
        server.close();
        try {
            accepting.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
