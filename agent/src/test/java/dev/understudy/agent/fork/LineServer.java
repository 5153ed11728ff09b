package dev.understudy.agent.fork;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.logging.Logger;

/**
 * The application in a forked JVM: answers each line with a price, and logs an error, by streams or, with
 * {@code -Dchannels=true}, by channels.
 */
public final class LineServer {
    private LineServer() {}

    public static void main(String[] arguments) throws IOException {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        if (Boolean.getBoolean("channels")) {
            ServerSocketChannel server = ServerSocketChannel.open().bind(any);
            System.out.println("port " + ((InetSocketAddress) server.getLocalAddress()).getPort());
            while (true) {
                serve(server.accept());
            }
        }
        try (ServerSocket server = new ServerSocket()) {
            server.bind(any);
            System.out.println("port " + server.getLocalPort());
            while (true) {
                serve(server.accept());
            }
        }
    }

    private static void serve(SocketChannel channel) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(1024);
        while (channel.read(buffer) >= 0) {
            if (buffer.position() > 0 && buffer.get(buffer.position() - 1) == '\n') {
                String line = new String(buffer.array(), 0, buffer.position() - 1, StandardCharsets.US_ASCII);
                buffer.clear();
                channel.write(ByteBuffer.wrap(answer(line)));
            }
        }
        channel.close();
    }

    private static void serve(Socket socket) throws IOException {
        BufferedReader in =
                new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            socket.getOutputStream().write(answer(line));
        }
        socket.close();
    }

    static byte[] answer(String line) {
        Logger.getLogger("line").severe("answering " + line);
        return (SmallServer.price(Integer.parseInt(line)) + "\n").getBytes(StandardCharsets.US_ASCII);
    }
}
