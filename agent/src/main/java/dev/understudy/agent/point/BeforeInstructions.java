package dev.understudy.agent.point;

import net.bytebuddy.jar.asm.Handle;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;

/** Says before each instruction of a method that it comes, after its labels and its frame. */
abstract class BeforeInstructions extends MethodVisitor {
    BeforeInstructions(MethodVisitor next) {
        super(Opcodes.ASM9, next);
    }

    /** An instruction comes. */
    abstract void before(int opcode);

    @Override
    public void visitInsn(int opcode) {
        before(opcode);
        super.visitInsn(opcode);
    }

    @Override
    public void visitIntInsn(int opcode, int operand) {
        before(opcode);
        super.visitIntInsn(opcode, operand);
    }

    @Override
    public void visitVarInsn(int opcode, int slot) {
        before(opcode);
        super.visitVarInsn(opcode, slot);
    }

    @Override
    public void visitTypeInsn(int opcode, String type) {
        before(opcode);
        super.visitTypeInsn(opcode, type);
    }

    @Override
    public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
        before(opcode);
        super.visitFieldInsn(opcode, owner, name, descriptor);
    }

    @Override
    public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean ofInterface) {
        before(opcode);
        super.visitMethodInsn(opcode, owner, name, descriptor, ofInterface);
    }

    @Override
    public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
        before(Opcodes.INVOKEDYNAMIC);
        super.visitInvokeDynamicInsn(name, descriptor, bootstrap, arguments);
    }

    @Override
    public void visitJumpInsn(int opcode, Label label) {
        before(opcode);
        super.visitJumpInsn(opcode, label);
    }

    @Override
    public void visitLdcInsn(Object value) {
        before(Opcodes.LDC);
        super.visitLdcInsn(value);
    }

    @Override
    public void visitIincInsn(int slot, int increment) {
        before(Opcodes.IINC);
        super.visitIincInsn(slot, increment);
    }

    @Override
    public void visitTableSwitchInsn(int min, int max, Label otherwise, Label... targets) {
        before(Opcodes.TABLESWITCH);
        super.visitTableSwitchInsn(min, max, otherwise, targets);
    }

    @Override
    public void visitLookupSwitchInsn(Label otherwise, int[] keys, Label[] targets) {
        before(Opcodes.LOOKUPSWITCH);
        super.visitLookupSwitchInsn(otherwise, keys, targets);
    }

    @Override
    public void visitMultiANewArrayInsn(String descriptor, int dimensions) {
        before(Opcodes.MULTIANEWARRAY);
        super.visitMultiANewArrayInsn(descriptor, dimensions);
    }
}
