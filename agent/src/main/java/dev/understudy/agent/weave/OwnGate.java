package dev.understudy.agent.weave;

import dev.understudy.agent.bootstrap.Gates;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.Handle;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;

/**
 * The private method that a woven class gets, through which its place-holders ask the class's gate: the JVM links the one
 * {@code invokedynamic} in it, and not one for each method that is called for the first time.
 */
final class OwnGate {
    private static final String NAME = "$understudy$enter";
    private static final String TYPE = "(I)Ljava/lang/Object;";
    private static final Handle LINK = new Handle(
            Opcodes.H_INVOKESTATIC,
            Type.getInternalName(Gates.class),
            "link",
            "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;J)"
                    + "Ljava/lang/invoke/CallSite;",
            false);

    private final String className;
    private final boolean ofInterface;

    /** The one of a class, named with slashes. */
    OwnGate(String className, boolean ofInterface) {
        this.className = className;
        this.ofInterface = ofInterface;
    }

    /** Emits what takes a probe's number off the stack and leaves the token there, by way of the gate itself. */
    static void link(MethodVisitor code, int gate) {
        code.visitInvokeDynamicInsn("enter", TYPE, LINK, Numbered.GATE | gate);
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
