package dev.understudy.it.fidelity.wire;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** Stands before a port and keeps all that passes, in both directions. */
public final class Witness implements Closeable {
    private final ServerSocket listening = new ServerSocket(0, 1024, InetAddress.getLoopbackAddress());
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Connection> connections = new ArrayList<>();
    private final int target;

    /** Passes connections on to {@code target}, a port on loopback. */
    public Witness(int target) throws IOException {
        this.target = target;
        threads.execute(this::accept);
    }

    public int port() {
        return listening.getLocalPort();
    }

    /** In the order in which they were made; waits for those that are open, and takes no more. */
    public List<Connection> connections() throws IOException, InterruptedException {
        close();
        if (!threads.awaitTermination(20, TimeUnit.SECONDS)) {
            throw new IOException("a client didn't close its connections");
        }
        synchronized (connections) {
            return List.copyOf(connections);
        }
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listening.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
                client.setTcpNoDelay(true);
                server.setTcpNoDelay(true);
                Connection connection = new Connection();
                synchronized (connections) {
                    connections.add(connection);
                }
                threads.execute(() -> pass(client, server, connection, true));
                threads.execute(() -> pass(server, client, connection, false));
            }
        } catch (IOException closed) {
            threads.shutdown();
        }
    }

    private static void pass(Socket from, Socket to, Connection connection, boolean fromClient) {
        byte[] buffer = new byte[64 << 10];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                connection.keep(fromClient, buffer, length);
                out.write(buffer, 0, length);
            }
            to.shutdownOutput();
        } catch (IOException gone) {
            end(to);
        }
        if (!fromClient) {
            end(from);
            end(to);
        }
    }

    private static void end(Socket socket) {
        try {
            socket.close();
        } catch (IOException already) {
            return;
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
    }
}
