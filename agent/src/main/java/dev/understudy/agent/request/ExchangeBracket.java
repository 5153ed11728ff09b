package dev.understudy.agent.request;

import dev.understudy.agent.bootstrap.ServedExchanges;
import dev.understudy.agent.weave.Bracket;
import net.bytebuddy.jar.asm.Handle;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;
import org.jspecify.annotations.Nullable;

/**
 * Begins an exchange with a server method's first argument and ends it with the method, or tells what it began with.
 */
final class ExchangeBracket implements Bracket {
    private static final String EXCHANGES = Type.getInternalName(ServedExchanges.class);
    private static final Handle LINK = new Handle(
            Opcodes.H_INVOKESTATIC,
            EXCHANGES,
            "link",
            "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;"
                    + "Ljava/lang/String;Ljava/lang/String;)Ljava/lang/invoke/CallSite;",
            false);

    private static final String CALL = "(Ljava/lang/Object;Ljava/lang/Class;Ljava/lang/String;)Ljava/lang/Object;";

    private final ServerEntry entry;
    /** The woven class, with slashes; null if it can link. */
    private final @Nullable String calledFrom;

    private ExchangeBracket(ServerEntry entry, @Nullable String calledFrom) {
        this.entry = entry;
        this.calledFrom = calledFrom;
    }

    /**
     * Around the entry of a class whose file has that version.
     *
     * @param name the class's, with slashes
     */
    static ExchangeBracket of(ServerEntry entry, String name, int version) {
        return new ExchangeBracket(entry, version >= Opcodes.V1_7 ? null : name);
    }

    @Override
    public void enter(MethodVisitor code) {
        code.visitVarInsn(Opcodes.ALOAD, 1);
        if (calledFrom == null) {
            code.visitInvokeDynamicInsn(
                    entry.does, "(Ljava/lang/Object;)Ljava/lang/Object;", LINK, entry.request, entry.getters);
            return;
        }
        code.visitLdcInsn(Type.getObjectType(calledFrom));
        code.visitLdcInsn(entry.does + ' ' + entry.request + ' ' + entry.getters);
        code.visitMethodInsn(Opcodes.INVOKESTATIC, EXCHANGES, "call", CALL, false);
    }

    @Override
    public void exit(MethodVisitor code, int slot) {
        code.visitVarInsn(Opcodes.ALOAD, slot);
        code.visitMethodInsn(Opcodes.INVOKESTATIC, EXCHANGES, "exit", "(Ljava/lang/Object;)V", false);
    }

    @Override
    public void thrown(MethodVisitor code) {
        code.visitMethodInsn(
                Opcodes.INVOKESTATIC, EXCHANGES, "thrown", "(Ljava/lang/Throwable;Ljava/lang/Object;)V", false);
    }
}
