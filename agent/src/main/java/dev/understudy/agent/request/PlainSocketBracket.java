package dev.understudy.agent.request;

import dev.understudy.agent.bootstrap.Sockets;
import dev.understudy.agent.weave.Bracket;
import dev.understudy.agent.weave.ClassNames;
import java.util.Map;
import java.util.Set;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;

/**
 * Tells of accepting, reading and writing in the JDK's sockets of streams as they are before JDK 13, and until JDK 17
 * where {@code jdk.net.usePlainSocketImpl} asks for them: the streams read and write, of a socket that they have in a
 * field.
 */
final class PlainSocketBracket implements Bracket {
    private static final String SOCKET = "java/net/AbstractPlainSocketImpl";
    private static final String IN = "java/net/SocketInputStream";
    private static final String OUT = "java/net/SocketOutputStream";

    /** The woven class. */
    private final String className;
    /** What goes on when the method returns. */
    private final @Nullable Bracket then;

    private PlainSocketBracket(String className, @Nullable Bracket then) {
        this.className = className;
        this.then = then;
    }

    /** What is put around which methods of a class, named with slashes: by name and descriptor. */
    static Map<String, Bracket> of(String className) {
        switch (className) {
            case SOCKET:
                return Map.of("accept(Ljava/net/SocketImpl;)V", new PlainSocketBracket(className, null));
            case IN:
                return Map.of("read([BIII)I", new PlainSocketBracket(className, SocketBracket.READ));
            case OUT:
                return Map.of("socketWrite([BII)V", new PlainSocketBracket(className, SocketBracket.WRITE));
            default:
                return Map.of();
        }
    }

    /** The classes, with slashes. */
    static Set<String> classes() {
        return Set.of(SOCKET, IN, OUT);
    }

    @Override
    public void enter(MethodVisitor code) {
        if (then == null) {
            code.visitInsn(Opcodes.ACONST_NULL);
            return;
        }
        code.visitVarInsn(Opcodes.ALOAD, 0);
        code.visitFieldInsn(Opcodes.GETFIELD, className, "impl", "L" + SOCKET + ';');
        if (className.equals(IN)) {
            call(code, "reading", "(Ljava/lang/Object;)Ljava/lang/Object;");
            return;
        }
        code.visitInsn(Opcodes.DUP);
        code.visitFieldInsn(Opcodes.GETFIELD, SOCKET, "port", "I");
        code.visitVarInsn(Opcodes.ALOAD, 0);
        code.visitFieldInsn(Opcodes.GETFIELD, className, "impl", "L" + SOCKET + ';');
        code.visitFieldInsn(Opcodes.GETFIELD, SOCKET, "localport", "I");
        call(code, "writing", "(Ljava/lang/Object;II)Ljava/lang/Object;");
    }

    @Override
    public void exit(MethodVisitor code, int slot) {
        if (then != null) {
            then.exit(code, slot);
            return;
        }
        // the argument is the socket that was accepted
        code.visitVarInsn(Opcodes.ALOAD, 1);
        code.visitInsn(Opcodes.DUP);
        code.visitFieldInsn(Opcodes.GETFIELD, "java/net/SocketImpl", "port", "I");
        call(code, "accepted", "(Ljava/lang/Object;I)V");
    }

    @Override
    public void thrown(MethodVisitor code) {
        code.visitInsn(Opcodes.POP2);
    }

    private static void call(MethodVisitor code, String name, String descriptor) {
        code.visitMethodInsn(Opcodes.INVOKESTATIC, ClassNames.of(Sockets.class), name, descriptor, false);
    }
}
