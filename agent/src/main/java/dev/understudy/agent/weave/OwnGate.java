package dev.understudy.agent.weave;

import dev.understudy.agent.bootstrap.Gates;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.Handle;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;

/**
 * The private method that a woven class gets, through which its place-holders ask the class's gate: the JVM links the
 * one {@code invokedynamic} in it, and not one for each method that is called for the first time.
 */
final class OwnGate {
    static final String NAME = "$understudy$enter";
    static final String TYPE = "(I)Ljava/lang/Object;";
    static final String ENTER = "enter";
    /** What links it. */
    static final String GATES = Gates.class.getName().replace('.', '/');

    static final String LINK = "link";
    static final String LINK_TYPE =
            "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;J)"
                    + "Ljava/lang/invoke/CallSite;";

    private final String className;
    private final boolean ofInterface;

    /** The one of a class, named with slashes. */
    OwnGate(String className, boolean ofInterface) {
        this.className = className;
        this.ofInterface = ofInterface;
    }

    /** Emits what takes a probe's number off the stack and leaves the token there, by way of the gate itself. */
    static void link(MethodVisitor code, int gate) {
        Handle link = new Handle(Opcodes.H_INVOKESTATIC, GATES, LINK, LINK_TYPE, false);
        code.visitInvokeDynamicInsn(ENTER, TYPE, link, Numbered.GATE | gate);
    }

    /** The same by way of the class's own method. */
    void call(MethodVisitor code) {
        code.visitMethodInsn(Opcodes.INVOKESTATIC, className, NAME, TYPE, ofInterface);
    }

    /** Writes the method. */
    static void write(ClassVisitor next, int gate) {
        MethodVisitor code = next.visitMethod(
                Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC | Opcodes.ACC_SYNTHETIC, NAME, TYPE, null, null);
        code.visitCode();
        code.visitVarInsn(Opcodes.ILOAD, 0);
        link(code, gate);
        code.visitInsn(Opcodes.ARETURN);
        code.visitMaxs(1, 1);
        code.visitEnd();
    }
}
