package dev.understudy.agent.egress;

import dev.understudy.agent.bootstrap.Egress;
import dev.understudy.agent.weave.ClassNames;
import dev.understudy.agent.weave.Insertion;
import dev.understudy.agent.weave.MethodEdit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;

/**
 * A class whose methods open TCP connections: the JDK's, and those of Netty's native transports in {@code io.netty} or
 * in a package whose name ends like that. Immutable.
 */
final class ConnectPlace {
    private static final String NETTY = "io/netty/";
    private static final String KERNEL = "sun/nio/ch/Net";

    private static final List<ConnectPlace> ALL = List.of(
            new ConnectPlace("sun/nio/ch/NioSocketImpl", How.BEFORE_THE_KERNELS, "connect"),
            new ConnectPlace("sun/nio/ch/SocketChannelImpl", How.BEFORE_THE_KERNELS, "connect", "blockingConnect"),
            new ConnectPlace("sun/nio/ch/UnixAsynchronousSocketChannelImpl", How.BEFORE_THE_KERNELS, "implConnect"),
            new ConnectPlace("java/net/AbstractPlainSocketImpl", How.WITH_ADDRESS_AND_PORT, "doConnect"),
            new ConnectPlace(NETTY + "channel/epoll/AbstractEpollChannel", How.OF_NETTY, "doConnect"),
            new ConnectPlace(NETTY + "channel/kqueue/AbstractKQueueChannel", How.OF_NETTY, "doConnect"),
            new ConnectPlace(
                    NETTY + "channel/uring/AbstractIoUringChannel$AbstractUringUnsafe", How.OF_NETTY, "connect"),
            new ConnectPlace(
                    NETTY + "incubator/channel/uring/AbstractIOUringChannel$AbstractUringUnsafe",
                    How.OF_NETTY,
                    "connect"));

    private static final Map<String, ConnectPlace> BY_SIMPLE_NAME = bySimpleName();

    /** With slashes. */
    private final String className;

    private final How how;
    private final Set<String> methods;

    private ConnectPlace(String className, How how, String... methods) {
        this.className = className;
        this.how = how;
        this.methods = Set.of(methods);
    }

    /** The one that is a class, named with slashes; null if that opens none. */
    static @Nullable ConnectPlace of(String name) {
        ConnectPlace place = BY_SIMPLE_NAME.get(ClassNames.simple(name));
        int prefix = place == null ? -1 : name.length() - place.className.length();
        boolean is = place != null
                && name.endsWith(place.className)
                && (prefix == 0 || (place.how == How.OF_NETTY && name.charAt(prefix - 1) == '/'));
        return is ? place : null;
    }

    /** The classes of the JDK, with dots; each JDK has some of them. */
    static List<String> ofJdk() {
        List<String> names = new ArrayList<>();
        for (ConnectPlace place : ALL) {
            if (place.how != How.OF_NETTY) {
                names.add(place.className.replace('/', '.'));
            }
        }
        return names;
    }

    /**
     * What is changed in its methods, by their names.
     *
     * @param met gets the names of those that the class has
     * @param guarded gets the names of those that ask, in one of their overloads at least
     */
    Map<String, MethodEdit> edits(Set<String> met, Set<String> guarded) {
        Map<String, MethodEdit> edits = new HashMap<>();
        for (String method : methods) {
            edits.put(method, new GuardInsertion(how, method, met, guarded));
        }
        return edits;
    }

    private static Map<String, ConnectPlace> bySimpleName() {
        Map<String, ConnectPlace> all = new HashMap<>();
        for (ConnectPlace place : ALL) {
            all.put(ClassNames.simple(place.className), place);
        }
        return Map.copyOf(all);
    }

    private enum How {
        /** Before it has the kernel connect. */
        BEFORE_THE_KERNELS,
        /** At its entry, with an address and a port as arguments. */
        WITH_ADDRESS_AND_PORT,
        /** At its entry, with an address of both as first argument. */
        OF_NETTY
    }

    private static final class GuardInsertion extends Insertion {
        private final How how;
        private final String method;
        private final Set<String> met;
        private final Set<String> guarded;

        GuardInsertion(How how, String method, Set<String> met, Set<String> guarded) {
            super(2);
            this.how = how;
            this.method = method;
            this.met = met;
            this.guarded = guarded;
        }

        @Override
        protected void enter(MethodVisitor code) {
            met.add(method);
            if (how == How.WITH_ADDRESS_AND_PORT) {
                code.visitVarInsn(Opcodes.ALOAD, 1);
                code.visitVarInsn(Opcodes.ILOAD, 2);
                call(code, "Ljava/net/InetAddress;I");
            } else if (how == How.OF_NETTY) {
                code.visitVarInsn(Opcodes.ALOAD, 0);
                code.visitVarInsn(Opcodes.ALOAD, 1);
                call(code, "Ljava/lang/Object;Ljava/net/SocketAddress;");
            }
        }

        @Override
        protected boolean replace(MethodVisitor code, String owner, String name, String descriptor) {
            if (how == How.BEFORE_THE_KERNELS && owner.equals(KERNEL) && name.equals("connect")) {
                if (descriptor.endsWith("Ljava/net/InetAddress;I)I")) {
                    code.visitInsn(Opcodes.DUP2);
                    call(code, "Ljava/net/InetAddress;I");
                } else if (descriptor.endsWith("Ljava/net/SocketAddress;)I")) {
                    code.visitInsn(Opcodes.DUP);
                    call(code, "Ljava/net/SocketAddress;");
                }
            }
            return false;
        }

        private void call(MethodVisitor code, String arguments) {
            code.visitMethodInsn(
                    Opcodes.INVOKESTATIC, ClassNames.of(Egress.class), "connecting", "(" + arguments + ")V", false);
            guarded.add(method);
        }
    }
}
