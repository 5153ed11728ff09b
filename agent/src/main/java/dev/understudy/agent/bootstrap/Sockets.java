package dev.understudy.agent.bootstrap;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.SocketChannel;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Begins an exchange when a thread reads from a connection that the application has accepted, whatever its protocol,
 * and ends it when that thread goes to read again after an answer was written, or reads from another, or is a pool's
 * and done with the task.
 *
 * <p>Which request it was, the sidecar tells by the connection's port and by which of its bytes were read. Of
 * connections that the application has opened itself only {@link CallNotes} are made. Safe for any threads; called by
 * woven socket classes of the JDK and of Netty.
 */
public final class Sockets {
    private static final Map<Object, ServedConnection> ACCEPTED = Collections.synchronizedMap(new WeakHashMap<>());

    private Sockets() {}

    /** A channel was accepted, or null if there was none to accept. */
    public static void accepted(@Nullable Object channel) {
        try {
            if (channel instanceof SocketChannel) {
                accepted(channel, ((SocketChannel) channel).getRemoteAddress());
            }
        } catch (IOException | RuntimeException gone) {
            // it has no exchanges
        }
    }

    /** A socket was accepted whose peer has that port. */
    public static void accepted(Object socket, int port) {
        try {
            ACCEPTED.put(socket, new ServedConnection(port));
        } catch (Throwable problem) {
            AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
            // it has no exchanges
        }
    }

    /**
     * A channel of Netty's was accepted whose peer has that address.
     *
     * @param address has at {@code offset} the address's 4 bytes, or 16 and 4 of its scope, and 4 of the port:
     *     {@code length} bytes
     */
    public static void accepted(Object channel, byte[] address, int offset, int length) {
        if ((length == 8 || length == 24) && offset >= 0 && offset <= address.length - length) {
            int end = offset + length;
            accepted(channel, (address[end - 2] & 0xFF) << 8 | (address[end - 1] & 0xFF));
        }
    }

    /** A channel was accepted whose peer has that address; one without a port has no exchanges. */
    public static void accepted(Object channel, @Nullable SocketAddress peer) {
        if (peer instanceof InetSocketAddress) {
            accepted(channel, ((InetSocketAddress) peer).getPort());
        }
    }

    /** A thread goes to read; the connection is returned, or null if it wasn't accepted. */
    public static @Nullable Object reading(Object socket) {
        try {
            ServedConnection connection = ACCEPTED.get(socket);
            ServedExchange current = connection == null ? null : ServedExchanges.current();
            if (connection != null && current != null && current.origin != null) {
                current = ofConnection(current, current.origin, connection);
            }
            if (connection != null && current != null && isOver(current, connection)) {
                over(current, current.connection);
            }
            return connection;
        } catch (Throwable problem) {
            AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
            return null;
        }
    }

    /** A task may read on in its exchange's request; one that reads others works for these from then on. */
    private static @Nullable ServedExchange ofConnection(
            ServedExchange part, ServedExchange origin, ServedConnection connection) {
        if (origin.connection == connection && part.isAtWork()) {
            return part;
        }
        Handover.end(part);
        return ServedExchanges.current();
    }

    /**
     * A thread that worked on nothing has run a task to its end, and may never read again: what it has answered is
     * over.
     */
    static void served() {
        try {
            ServedExchange current = ServedExchanges.current();
            ServedConnection connection = current == null ? null : current.connection;
            if (current != null && connection != null && isOver(current, connection)) {
                over(current, connection);
            }
        } catch (Throwable problem) {
            AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
            // it ends when its thread reads again
        }
    }

    private static boolean isOver(ServedExchange current, ServedConnection next) {
        ServedConnection connection = current.connection;
        return connection != null && !current.entered && (connection != next || connection.answered);
    }

    /** One that was handed over may still be worked on, and answered, by others. */
    private static void over(ServedExchange current, @Nullable ServedConnection connection) {
        if (current.handedOn && connection != null && !connection.answered) {
            ServedExchanges.leaveOpen(current);
        } else {
            ServedExchanges.exit(current);
        }
    }

    /** A thread has read so many bytes from what {@link #reading} returned. */
    public static void read(int bytes, @Nullable Object token) {
        read((long) bytes, token);
    }

    /** As {@link #read(int, Object)}. */
    public static void read(long bytes, @Nullable Object token) {
        if (token != null && bytes != 0) {
            took(bytes, (ServedConnection) token);
        }
    }

    /**
     * A thread gets what the kernel has read of a channel meanwhile, and so doesn't go to read.
     *
     * @param bytes how many; none is the end of them, and a negative number says that there was no reading
     */
    public static void arrived(Object channel, int bytes) {
        if (bytes >= 0) {
            read(bytes == 0 ? -1L : bytes, reading(channel));
        }
    }

    private static void took(long bytes, ServedConnection connection) {
        try {
            ServedExchange current = ServedExchanges.current();
            if (connection.answered) {
                // others may have answered while this thread was waiting for more
                current = isOf(current, connection) ? ended(current) : current;
                AsyncExchange left = connection.left;
                if (left != null) {
                    left.end();
                }
            }
            if (bytes < 0) {
                return;
            }
            long before = connection.read;
            if (connection.answered) {
                connection.answered = false;
                connection.start = before;
            }
            connection.read = before + bytes;
            if (current == null) {
                ServedExchanges.start(new ServedExchange(connection, connection.start < before));
            } else if (current.connection == connection) {
                current.to = connection.read;
            }
        } catch (Throwable problem) {
            AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
            // the request isn't observed
        }
    }

    private static boolean isOf(@Nullable ServedExchange current, ServedConnection connection) {
        return current != null && current.connection == connection && !current.entered;
    }

    private static @Nullable ServedExchange ended(@Nullable ServedExchange current) {
        ServedExchanges.exit(current);
        return ServedExchanges.current();
    }

    /** A thread goes to write; what is returned means nothing. */
    public static @Nullable Object writing(Object socket) {
        isAnswered(socket);
        return null;
    }

    /**
     * A thread goes to write to a socket of streams, which carries one call at a time, and whose ports are these; if
     * the application has opened it to a debug port of the aggregator, it is noted for whom.
     */
    public static @Nullable Object writing(Object socket, int port, int localPort) {
        boolean noted = CallNotes.areKept(port);
        if (!isAnswered(socket) && noted) {
            note(port, localPort);
        }
        return null;
    }

    private static void note(int port, int localPort) {
        try {
            CallNotes.put(localPort, port, ServedExchanges.current());
        } catch (Throwable problem) {
            AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
            CallNotes.missed = true;
        }
    }

    /** Whether it was accepted: what is written is an answer then. */
    private static boolean isAnswered(Object socket) {
        try {
            ServedConnection connection = ACCEPTED.get(socket);
            if (connection == null) {
                return false;
            }
            connection.answered = true;
            AsyncExchange left = connection.left;
            if (left != null) {
                left.settle();
            }
        } catch (Throwable problem) {
            AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
            // its exchange ends later than it could
        }
        return true;
    }
}
