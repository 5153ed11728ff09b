package dev.understudy.agent.request;

import dev.understudy.agent.weave.Bracket;
import dev.understudy.agent.weave.ClassNames;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Netty's transports that go to the kernel without the JDK (epoll, kqueue, io_uring, and the incubator's io_uring of
 * Netty 4.1): what is put around which methods of which classes, under whatever package a jar that brings all it needs
 * has put them.
 */
final class NettySockets {
    /** In the names of all of its classes, also of those that were put below other packages. */
    static final String NETTY = "io/netty/";

    private static final String WRITES = "doWrite(L" + NETTY + "channel/ChannelOutboundBuffer;)V";
    private static final String CHILD = ")L" + NETTY + "channel/Channel;";

    /** By their simple names, as hardly a class that is loaded is called so. */
    private static final Map<String, Place> ALL = all();

    private NettySockets() {}

    /** What is put around which methods of a class, named with slashes: by name and descriptor. */
    static Map<String, Bracket> of(String className) {
        Place place = ALL.get(ClassNames.simple(className));
        String prefix = place == null ? null : place.prefix(className);
        return place == null || prefix == null ? Map.of() : place.below(prefix);
    }

    /** The classes, with slashes. */
    static Set<String> classes() {
        Set<String> classes = new HashSet<>();
        ALL.values().forEach(place -> classes.add(place.className));
        return classes;
    }

    private static Map<String, Place> all() {
        String epoll = NETTY + "channel/epoll/";
        String kqueue = NETTY + "channel/kqueue/";
        String uring = NETTY + "channel/uring/";
        String incubator = NETTY + "incubator/channel/uring/";
        Map<String, Place> all = new HashMap<>();
        for (Place place : List.of(
                new Place(epoll + "EpollServerSocketChannel", "newChildChannel(I[BII" + CHILD, How.ACCEPTS),
                new Place(epoll + "AbstractEpollChannel", "doReadBytes(L" + NETTY + "buffer/ByteBuf;)I", How.READS),
                new Place(epoll + "AbstractEpollStreamChannel", WRITES, How.WRITES),
                new Place(kqueue + "KQueueServerSocketChannel", "newChildChannel(I[BII" + CHILD, How.ACCEPTS),
                new Place(kqueue + "AbstractKQueueChannel", "doReadBytes(L" + NETTY + "buffer/ByteBuf;)I", How.READS),
                new Place(kqueue + "AbstractKQueueStreamChannel", WRITES, How.WRITES),
                new Place(
                        uring + "IoUringServerSocketChannel",
                        "newChildChannel(ILjava/nio/ByteBuffer;" + CHILD,
                        How.HEARS_OF_ACCEPTED),
                new Place(
                        uring + "AbstractIoUringStreamChannel$IoUringStreamUnsafe",
                        "readComplete0(BIISI)V",
                        How.HEARS_OF_READ_SECOND),
                new Place(uring + "AbstractIoUringChannel", WRITES, How.WRITES),
                new Place(
                        incubator + "IOUringServerSocketChannel", "newChildChannel(IJJ" + CHILD, How.HEARS_OF_ACCEPTED),
                new Place(
                        incubator + "AbstractIOUringStreamChannel$IOUringStreamUnsafe",
                        "readComplete0(III)V",
                        How.HEARS_OF_READ_FIRST),
                new Place(incubator + "AbstractIOUringChannel", WRITES, How.WRITES))) {
            all.put(ClassNames.simple(place.className), place);
        }
        return Map.copyOf(all);
    }

    /** What a method does; of what the kernel did meanwhile it only hears. */
    private enum How {
        ACCEPTS,
        READS,
        WRITES,
        HEARS_OF_ACCEPTED,
        /** Its first argument is how many bytes. */
        HEARS_OF_READ_FIRST,
        /** Its second is. */
        HEARS_OF_READ_SECOND;

        /** @param prefix the packages below which the class {@code className} was put, with a slash behind them */
        Bracket bracket(String prefix, String className) {
            if (this == ACCEPTS) {
                return SocketBracket.ACCEPT_NATIVE;
            }
            if (this == READS || this == WRITES) {
                return this == READS ? SocketBracket.READ : SocketBracket.WRITE;
            }
            return this == HEARS_OF_ACCEPTED
                    ? CompletionBracket.ofAccept(prefix + NETTY)
                    : CompletionBracket.ofRead(prefix + NETTY, className, this == HEARS_OF_READ_FIRST ? 1 : 2);
        }
    }

    private static final class Place {
        final String className;
        private final String method;
        private final How how;

        Place(String className, String method, How how) {
            this.className = className;
            this.method = method;
            this.how = how;
        }

        /** The packages before those of the original's name, with a slash behind them; null if it isn't this class. */
        @Nullable
        String prefix(String name) {
            int length = name.length() - className.length();
            return name.endsWith(className) && (length == 0 || name.charAt(length - 1) == '/')
                    ? name.substring(0, length)
                    : null;
        }

        Map<String, Bracket> below(String prefix) {
            return Map.of(method.replace("L" + NETTY, "L" + prefix + NETTY), how.bracket(prefix, prefix + className));
        }
    }
}
