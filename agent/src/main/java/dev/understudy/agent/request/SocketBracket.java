package dev.understudy.agent.request;

import dev.understudy.agent.bootstrap.Sockets;
import dev.understudy.agent.weave.Bracket;
import dev.understudy.agent.weave.ClassNames;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;

/**
 * Tells of accepting, reading and writing in the JDK's socket classes, those of streams (JDK 13 on; before that
 * {@link PlainSocketBracket} does) and of channels, and in those of {@link NettySockets}.
 */
enum SocketBracket implements Bracket {
    /** Returns the channel that was accepted. */
    ACCEPT_CHANNEL {
        @Override
        public void enter(MethodVisitor code) {
            code.visitInsn(Opcodes.ACONST_NULL);
        }

        @Override
        public void exit(MethodVisitor code, int slot) {
            code.visitInsn(Opcodes.DUP);
            call(code, "accepted", "(Ljava/lang/Object;)V");
        }
    },
    /** Makes its argument the socket that was accepted. */
    ACCEPT_SOCKET {
        @Override
        public void enter(MethodVisitor code) {
            code.visitInsn(Opcodes.ACONST_NULL);
        }

        @Override
        public void exit(MethodVisitor code, int slot) {
            code.visitVarInsn(Opcodes.ALOAD, 1);
            code.visitTypeInsn(Opcodes.CHECKCAST, STREAMS);
            code.visitInsn(Opcodes.DUP);
            code.visitFieldInsn(Opcodes.GETFIELD, STREAMS, "port", "I");
            call(code, "accepted", "(Ljava/lang/Object;I)V");
        }
    },
    /**
     * Returns the channel that was accepted; its arguments are a file descriptor, and the peer's address in some bytes.
     */
    ACCEPT_NATIVE {
        @Override
        public void enter(MethodVisitor code) {
            code.visitInsn(Opcodes.ACONST_NULL);
        }

        @Override
        public void exit(MethodVisitor code, int slot) {
            code.visitInsn(Opcodes.DUP);
            code.visitVarInsn(Opcodes.ALOAD, 2);
            code.visitVarInsn(Opcodes.ILOAD, 3);
            code.visitVarInsn(Opcodes.ILOAD, 4);
            call(code, "accepted", "(Ljava/lang/Object;[BII)V");
        }
    },
    READ {
        @Override
        public void enter(MethodVisitor code) {
            code.visitVarInsn(Opcodes.ALOAD, 0);
            call(code, "reading", "(Ljava/lang/Object;)Ljava/lang/Object;");
        }

        @Override
        public void exit(MethodVisitor code, int slot) {
            code.visitInsn(Opcodes.DUP);
            code.visitVarInsn(Opcodes.ALOAD, slot);
            call(code, "read", "(ILjava/lang/Object;)V");
        }
    },
    READ_MANY {
        @Override
        public void enter(MethodVisitor code) {
            READ.enter(code);
        }

        @Override
        public void exit(MethodVisitor code, int slot) {
            code.visitInsn(Opcodes.DUP2);
            code.visitVarInsn(Opcodes.ALOAD, slot);
            call(code, "read", "(JLjava/lang/Object;)V");
        }
    },
    /** To a socket of streams, whose ports are known. */
    WRITE_SOCKET {
        @Override
        public void enter(MethodVisitor code) {
            code.visitVarInsn(Opcodes.ALOAD, 0);
            code.visitInsn(Opcodes.DUP);
            code.visitFieldInsn(Opcodes.GETFIELD, STREAMS, "port", "I");
            code.visitVarInsn(Opcodes.ALOAD, 0);
            code.visitFieldInsn(Opcodes.GETFIELD, STREAMS, "localport", "I");
            call(code, "writing", "(Ljava/lang/Object;II)Ljava/lang/Object;");
        }

        @Override
        public void exit(MethodVisitor code, int slot) {
            // all is told
        }
    },
    WRITE {
        @Override
        public void enter(MethodVisitor code) {
            code.visitVarInsn(Opcodes.ALOAD, 0);
            call(code, "writing", "(Ljava/lang/Object;)Ljava/lang/Object;");
        }

        @Override
        public void exit(MethodVisitor code, int slot) {
            // all is told
        }
    };

    private static final String STREAMS = "sun/nio/ch/NioSocketImpl";
    private static final Map<String, Map<String, Bracket>> ALL = Map.of(
            STREAMS,
            Map.of(
                    "accept(Ljava/net/SocketImpl;)V", ACCEPT_SOCKET,
                    "read([BII)I", READ,
                    "write([BII)V", WRITE_SOCKET),
            "sun/nio/ch/ServerSocketChannelImpl",
            Map.of(
                    "accept()Ljava/nio/channels/SocketChannel;", ACCEPT_CHANNEL,
                    "blockingAccept(J)Ljava/nio/channels/SocketChannel;", ACCEPT_CHANNEL),
            "sun/nio/ch/SocketChannelImpl",
            Map.of(
                    "read(Ljava/nio/ByteBuffer;)I", READ,
                    "read([Ljava/nio/ByteBuffer;II)J", READ_MANY,
                    "blockingRead([BIIJ)I", READ,
                    "write(Ljava/nio/ByteBuffer;)I", WRITE,
                    "write([Ljava/nio/ByteBuffer;II)J", WRITE,
                    "blockingWriteFully([BII)V", WRITE));

    /** What is put around which methods of a class, named with slashes: by name and descriptor. */
    static Map<String, Bracket> of(String className) {
        if (className.startsWith("java/net/")) {
            return PlainSocketBracket.of(className);
        }
        return className.contains(NettySockets.NETTY)
                ? NettySockets.of(className)
                : ALL.getOrDefault(className, Map.of());
    }

    /** The classes, with slashes. */
    static Set<String> classes() {
        Set<String> classes = new HashSet<>(ALL.keySet());
        classes.addAll(PlainSocketBracket.classes());
        classes.addAll(NettySockets.classes());
        return classes;
    }

    private static void call(MethodVisitor code, String name, String descriptor) {
        code.visitMethodInsn(Opcodes.INVOKESTATIC, ClassNames.of(Sockets.class), name, descriptor, false);
    }

    @Override
    public void thrown(MethodVisitor code) {
        code.visitInsn(Opcodes.POP2);
    }
}
