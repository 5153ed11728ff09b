package dev.understudy.agent.weave;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import net.bytebuddy.jar.asm.Handle;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;

/**
 * Finds the call in a constructor's code behind which it is its object's constructor, if there is one such place that all ways lead through.
 *
 * <p>That is so in what compilers make. Where jumps, handlers or frames say otherwise there is none. Frames must be expanded.
 */
final class ConstructorBegin extends MethodVisitor {
    private final String className;
    private final String parent;
    private final Set<Label> before = new HashSet<>();
    private final Set<Label> aimedAtBefore = new HashSet<>();
    private final Set<Label> aimedAtBehind = new HashSet<>();
    private final Set<Label> handlers = new HashSet<>();
    private final Set<Label> guarded = new HashSet<>();
    /** Objects made but not yet constructed. */
    private int raw;

    private int calls;
    private boolean begun;
    private boolean works;
    private boolean strange;

    ConstructorBegin(String className, String parent) {
        super(Opcodes.ASM9);
        this.className = className;
        this.parent = parent;
    }

    /** How many constructors are called up to there; 0 if there is no such place, or nothing is done behind it. */
    int calls() {
        for (Label label : before) {
            strange |= aimedAtBehind.contains(label);
            strange |= guarded.contains(label) && !before.containsAll(handlers);
        }
        strange |= !before.containsAll(aimedAtBefore);
        return begun && works && !strange ? calls : 0;
    }

    @Override
    public void visitTryCatchBlock(Label start, Label end, Label handler, @Nullable String type) {
        guarded.add(start);
        handlers.add(handler);
    }

    @Override
    public void visitLabel(Label label) {
        if (!begun) {
            before.add(label);
        }
    }

    @Override
    public void visitFrame(int type, int numLocal, @Nullable Object[] local, int numStack, @Nullable Object[] stack) {
        boolean bare = Arrays.asList(local).subList(0, numLocal).contains(Opcodes.UNINITIALIZED_THIS);
        strange |= bare == begun;
    }

    @Override
    public void visitTypeInsn(int opcode, String type) {
        raw += opcode == Opcodes.NEW ? 1 : 0;
    }

    @Override
    public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean ofInterface) {
        works |= begun;
        if (begun || !name.equals("<init>")) {
            return;
        }
        calls++;
        if (raw > 0) {
            raw--;
        } else {
            begun = true;
            strange |= !owner.equals(parent) && !owner.equals(className);
        }
    }

    @Override
    public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
        works |= begun;
    }

    @Override
    public void visitJumpInsn(int opcode, Label label) {
        aims(label);
    }

    @Override
    public void visitTableSwitchInsn(int min, int max, Label otherwise, Label... labels) {
        aims(otherwise);
        Arrays.asList(labels).forEach(this::aims);
    }

    @Override
    public void visitLookupSwitchInsn(Label otherwise, int[] keys, Label[] labels) {
        aims(otherwise);
        Arrays.asList(labels).forEach(this::aims);
    }

    private void aims(Label label) {
        works |= begun;
        (begun ? aimedAtBehind : aimedAtBefore).add(label);
    }
}
