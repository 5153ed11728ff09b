package dev.understudy.agent.request;

import dev.understudy.agent.weave.ClassNames;
import java.util.Set;

/**
 * What the classes are called that {@link ServerEntry}, {@link SocketBracket}, {@link PlainSocketBracket},
 * {@link NettySockets}, {@link StartedTask} and {@link OtherAgentEdits} change, which aren't loaded before one of these
 * is.
 */
final class ServedClasses {
    /** Those of the JDK, with slashes. */
    static final Set<String> OF_JDK = Set.of(
            "com/sun/net/httpserver/Filter$Chain",
            "java/net/AbstractPlainSocketImpl",
            "java/net/SocketInputStream",
            "java/net/SocketOutputStream",
            "sun/nio/ch/NioSocketImpl",
            "sun/nio/ch/ServerSocketChannelImpl",
            "sun/nio/ch/SocketChannelImpl");

    /** All of them, without packages. */
    static final Set<String> SIMPLE = Set.of(
            "AbstractChannelHandlerContext",
            "AbstractEpollChannel",
            "AbstractEpollStreamChannel",
            "AbstractIOUringChannel",
            "AbstractIOUringStreamChannel$IOUringStreamUnsafe",
            "AbstractIoUringChannel",
            "AbstractIoUringStreamChannel$IoUringStreamUnsafe",
            "AbstractKQueueChannel",
            "AbstractKQueueStreamChannel",
            "AbstractPlainSocketImpl",
            "ApplicationFilterChain",
            "AsyncContextImpl",
            "AsyncContextState",
            "Connectors",
            "EpollServerSocketChannel",
            "Filter$Chain",
            "HttpServlet",
            "IOUringServerSocketChannel",
            "Instrumenter",
            "IoUringServerSocketChannel",
            "KQueueServerSocketChannel",
            "NioSocketImpl",
            "ServerSocketChannelImpl",
            "SocketChannelImpl",
            "SocketInputStream",
            "SocketOutputStream",
            "ThreadLocalContextStorage",
            "ThreadLocalContextStorage$ScopeImpl");

    private ServedClasses() {}

    /** Whether a class, named with slashes, may be one of them: hardly one that is loaded is called so. */
    static boolean mayBe(String className) {
        return SIMPLE.contains(ClassNames.simple(className));
    }
}
