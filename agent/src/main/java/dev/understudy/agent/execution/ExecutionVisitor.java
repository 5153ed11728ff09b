package dev.understudy.agent.execution;

import dev.understudy.agent.bootstrap.Executions;
import dev.understudy.agent.weave.HookDescriptor;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;
import org.jspecify.annotations.Nullable;

/**
 * Has one method tell {@link Executions} with what each call begins and how it ends.
 *
 * <p>What it adds has no jump; the only frame it adds is that of the handler for what is thrown, which needs no local
 * variable. A constructor has no such handler, since its object isn't initialised at its beginning.
 */
final class ExecutionVisitor extends MethodVisitor {
    private static final String EXECUTIONS = Type.getInternalName(Executions.class);
    /** On top of what the method has there: a value of two slots and a number. */
    private static final int DEEPEST = 3;

    private final ExecutedMethod method;
    private final Type[] parameters;
    private final Type returned;
    private final boolean isConstructor;
    private final boolean frames;
    private final Label start = new Label();

    /** @param frames whether the class file has stack map frames */
    ExecutionVisitor(MethodVisitor next, ExecutedMethod method, String name, String descriptor, boolean frames) {
        super(Opcodes.ASM9, next);
        this.method = method;
        this.parameters = Type.getArgumentTypes(descriptor);
        this.returned = Type.getReturnType(descriptor);
        this.isConstructor = name.equals("<init>");
        this.frames = frames;
    }

    @Override
    public void visitCode() {
        super.visitCode();
        mv.visitLabel(start);
        number();
        call("begins", "(I)Ljava/lang/Object;");
        int slot = 0;
        if (!method.isStatic) {
            if (!isConstructor) {
                put(Type.getType(Object.class), slot);
            }
            slot++;
        }
        for (Type parameter : parameters) {
            put(parameter, slot);
            slot += parameter.getSize();
        }
        call("begun", "(Ljava/lang/Object;)V");
    }

    private void number() {
        mv.visitIntInsn(Opcodes.SIPUSH, method.number);
    }

    private void put(Type type, int slot) {
        mv.visitVarInsn(type.getOpcode(Opcodes.ILOAD), slot);
        call("put", "(Ljava/lang/Object;" + HookDescriptor.of(type) + ")Ljava/lang/Object;");
    }

    private void call(String name, String descriptor) {
        mv.visitMethodInsn(Opcodes.INVOKESTATIC, EXECUTIONS, name, descriptor, false);
    }

    @Override
    public void visitInsn(int opcode) {
        if (opcode == Opcodes.RETURN) {
            number();
            call("returns", "(I)V");
        } else if (opcode >= Opcodes.IRETURN && opcode < Opcodes.RETURN) {
            super.visitInsn(returned.getSize() == 2 ? Opcodes.DUP2 : Opcodes.DUP);
            number();
            call("returns", "(" + HookDescriptor.of(returned) + "I)V");
        }
        super.visitInsn(opcode);
    }

    @Override
    public void visitLocalVariable(
            String name, String descriptor, @Nullable String signature, Label from, Label to, int slot) {
        super.visitLocalVariable(name, descriptor, signature, from, to, slot);
        int first = method.isStatic ? 0 : 1;
        for (int i = 0; i < parameters.length; i++) {
            if (first == slot && parameters[i].getDescriptor().equals(descriptor)) {
                method.parameter(i, name);
            }
            first += parameters[i].getSize();
        }
    }

    @Override
    public void visitMaxs(int maxStack, int maxLocals) {
        if (!isConstructor) {
            Label end = new Label();
            mv.visitTryCatchBlock(start, end, end, null);
            mv.visitLabel(end);
            if (frames) {
                mv.visitFrame(Opcodes.F_NEW, 0, new Object[0], 1, new Object[] {"java/lang/Throwable"});
            }
            super.visitInsn(Opcodes.DUP);
            number();
            call("throwing", "(Ljava/lang/Throwable;I)V");
            super.visitInsn(Opcodes.ATHROW);
        }
        super.visitMaxs(maxStack + DEEPEST, maxLocals);
    }
}
