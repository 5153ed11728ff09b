package dev.understudy.agent.weave;

import dev.understudy.agent.classfile.ByteSink;
import dev.understudy.agent.classfile.Instructions;
import dev.understudy.agent.classfile.PoolTail;
import dev.understudy.agent.classfile.UnusualClassFile;
import net.bytebuddy.jar.asm.Handle;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;

/**
 * Writes instructions that are visited as bytes (JVMS §6.5), their constants behind a class file's own; refuses what a
 * piece doesn't have, as jumps. Confined to one thread.
 */
final class PieceWriter extends MethodVisitor {
    private final PoolTail pool;
    private ByteSink bytes = new ByteSink(16);

    PieceWriter(PoolTail pool) {
        super(Opcodes.ASM9);
        this.pool = pool;
    }

    /** What was visited since it was asked before. */
    ByteSink taken() {
        ByteSink taken = bytes;
        bytes = new ByteSink(16);
        return taken;
    }

    @Override
    public void visitInsn(int opcode) {
        bytes.u1(opcode);
    }

    @Override
    public void visitVarInsn(int opcode, int slot) {
        Instructions.variable(bytes, opcode, slot);
    }

    @Override
    public void visitTypeInsn(int opcode, String type) {
        bytes.u1(opcode).u2(pool.className(type));
    }

    @Override
    public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
        bytes.u1(opcode).u2(pool.field(owner, name, descriptor));
    }

    @Override
    public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean ofInterface) {
        bytes.u1(opcode).u2(pool.method(owner, name, descriptor, ofInterface));
        if (opcode == Opcodes.INVOKEINTERFACE) {
            bytes.u1(Type.getArgumentsAndReturnSizes(descriptor) >> 2).u1(0);
        }
    }

    @Override
    public void visitLdcInsn(Object value) {
        throw refused("a constant");
    }

    @Override
    public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
        throw refused("a call that is linked");
    }

    @Override
    public void visitIntInsn(int opcode, int operand) {
        throw refused("a number");
    }

    @Override
    public void visitIincInsn(int slot, int increment) {
        throw refused("a variable that changes");
    }

    @Override
    public void visitMultiANewArrayInsn(String descriptor, int dimensions) {
        throw refused("an array");
    }

    @Override
    public void visitLabel(Label label) {
        throw refused("a place that something leads to");
    }

    @Override
    public void visitJumpInsn(int opcode, Label label) {
        throw refused("a jump");
    }

    @Override
    public void visitTableSwitchInsn(int least, int most, Label others, Label... labels) {
        throw refused("a switch");
    }

    @Override
    public void visitLookupSwitchInsn(Label others, int[] keys, Label[] labels) {
        throw refused("a switch");
    }

    private static UnusualClassFile refused(String what) {
        return new UnusualClassFile("a piece with " + what);
    }
}
