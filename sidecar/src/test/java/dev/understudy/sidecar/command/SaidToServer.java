package dev.understudy.sidecar.command;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Hands one connection on to a server, and keeps all that its client said up to its end, whatever the server made of
 * it.
 */
final class SaidToServer implements AutoCloseable {
    private static final int HTTP2_PREFACE = 24;
    private static final int FRAME_HEAD = 9;
    private static final int HEADERS = 1;

    private final ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    private final ByteArrayOutputStream said = new ByteArrayOutputStream();
    private final Thread handing;

    SaidToServer(InetSocketAddress server) throws IOException {
        handing = new Thread(() -> hand(server), "said-to-server");
        handing.setDaemon(true);
        handing.start();
    }

    String address() {
        return "127.0.0.1:" + listening.getLocalPort();
    }

    private void hand(InetSocketAddress server) {
        try (Socket client = listening.accept();
                Socket other = new Socket(server.getAddress(), server.getPort())) {
            Thread answers = new Thread(() -> copy(other, client, null), "answers");
            answers.setDaemon(true);
            answers.start();
            copy(client, other, said);
        } catch (IOException closed) {
            // then nothing more was said
        }
    }

    private static void copy(Socket from, Socket to, @Nullable ByteArrayOutputStream kept) {
        byte[] bytes = new byte[8192];
        boolean taken = true;
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int length = in.read(bytes); length >= 0; length = in.read(bytes)) {
                if (kept != null) {
                    kept.write(bytes, 0, length);
                }
                taken = taken && write(out, bytes, length);
            }
        } catch (IOException reset) {
            // that is an end too
        }
    }

    private static boolean write(OutputStream out, byte[] bytes, int length) {
        try {
            out.write(bytes, 0, length);
            return true;
        } catch (IOException gone) {
            return false;
        }
    }

    /** How many requests of HTTP/2 the client sent, once its connection has ended. */
    int requests() throws InterruptedException {
        handing.join();
        ByteBuffer left = ByteBuffer.wrap(said.toByteArray()).position(HTTP2_PREFACE);
        int requests = 0;
        while (left.remaining() >= FRAME_HEAD) {
            int lengthAndType = left.getInt(left.position());
            requests += (lengthAndType & 0xFF) == HEADERS ? 1 : 0;
            left.position(Math.min(left.limit(), left.position() + FRAME_HEAD + (lengthAndType >>> 8)));
        }
        return requests;
    }

    @Override
    public void close() throws IOException {
        listening.close();
    }
}
