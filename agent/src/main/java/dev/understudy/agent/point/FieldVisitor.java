package dev.understudy.agent.point;

import dev.understudy.agent.bootstrap.Points;
import dev.understudy.agent.weave.HookDescriptor;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;

/**
 * Has one method tell of each access to a watched field: of a value that was read behind it, of one that is written
 * before it.
 *
 * <p>What it adds has no jump and no local variable, so no frame changes. In a constructor nothing is told before the
 * object's parent is made.
 */
final class FieldVisitor extends MethodVisitor {
    private static final String POINTS = Type.getInternalName(Points.class);
    private static final String PUT = "Ljava/lang/Object;)Ljava/lang/Object;";
    /** On top of what the method has there. */
    private static final int DEEPEST = 8;

    private final Function<Access, List<PointSite>> sites;
    private boolean begun;
    private int unfinished;
    private int line;

    /**
     * @param constructor whether it is one
     * @param sites where an access is told
     */
    FieldVisitor(MethodVisitor next, boolean constructor, Function<Access, List<PointSite>> sites) {
        super(Opcodes.ASM9, next);
        this.begun = !constructor;
        this.sites = sites;
    }

    @Override
    public void visitLineNumber(int number, Label start) {
        super.visitLineNumber(number, start);
        line = number;
    }

    @Override
    public void visitTypeInsn(int opcode, String type) {
        super.visitTypeInsn(opcode, type);
        unfinished += opcode == Opcodes.NEW ? 1 : 0;
    }

    @Override
    public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean ofInterface) {
        super.visitMethodInsn(opcode, owner, name, descriptor, ofInterface);
        if (!begun && opcode == Opcodes.INVOKESPECIAL && name.equals("<init>")) {
            begun = unfinished == 0;
            unfinished--;
        }
    }

    @Override
    public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
        Access access = new Access(opcode, owner, name, descriptor, line);
        List<PointSite> told = begun ? sites.apply(access) : List.of();
        if (told.isEmpty()) {
            super.visitFieldInsn(opcode, owner, name, descriptor);
        } else if (access.isWrite()) {
            told.forEach(site -> tell(access, site));
            super.visitFieldInsn(opcode, owner, name, descriptor);
        } else if (access.isStatic()) {
            super.visitFieldInsn(opcode, owner, name, descriptor);
            told.forEach(site -> tell(access, site));
        } else {
            insns(Opcodes.DUP);
            super.visitFieldInsn(opcode, owner, name, descriptor);
            told.forEach(site -> tell(access, site));
            if (access.isWide()) {
                insns(Opcodes.DUP2_X1, Opcodes.POP2, Opcodes.POP);
            } else {
                insns(Opcodes.SWAP, Opcodes.POP);
            }
        }
    }

    /**
     * Values in the order in which the woven code puts them; what an object's field held is looked up when it is told.
     */
    static List<String> names(Access access) {
        List<String> names = new ArrayList<>(List.of(LivePoint.VALUE));
        if (!access.isStatic()) {
            names.add(access.isWide() ? 0 : 1, "this");
        }
        if (access.isWrite()) {
            names.add(LivePoint.OLD);
        }
        return names;
    }

    /** The stack has the value, below it the object unless the field is static, and has both afterwards. */
    private void tell(Access access, PointSite site) {
        if (access.isStatic()) {
            insns(access.isWide() ? Opcodes.DUP2 : Opcodes.DUP);
            ask(site);
            put(access);
            if (access.isWrite()) {
                super.visitFieldInsn(Opcodes.GETSTATIC, access.owner, access.name, access.descriptor);
                if (access.isWide()) {
                    insns(Opcodes.DUP2_X1, Opcodes.POP2);
                } else {
                    insns(Opcodes.SWAP);
                }
                put(access);
            }
        } else if (access.isWide()) {
            // value, object, object
            insns(Opcodes.DUP2_X1, Opcodes.POP2, Opcodes.DUP);
            ask(site);
            putObject();
            // value, object, seen: object, value, value, seen
            insns(Opcodes.DUP2_X2, Opcodes.POP2, Opcodes.DUP2_X1, Opcodes.DUP2_X1, Opcodes.POP2);
            put(access);
        } else {
            insns(Opcodes.DUP2);
            ask(site);
            put(access);
            putObject();
        }
        super.visitMethodInsn(Opcodes.INVOKESTATIC, POINTS, "done", "(Ljava/lang/Object;)V", false);
    }

    private void insns(int... opcodes) {
        for (int opcode : opcodes) {
            super.visitInsn(opcode);
        }
    }

    private void ask(PointSite site) {
        super.visitIntInsn(Opcodes.SIPUSH, site.number);
        super.visitMethodInsn(Opcodes.INVOKESTATIC, POINTS, "due", "(I)Ljava/lang/Object;", false);
    }

    private void put(Access access) {
        super.visitMethodInsn(
                Opcodes.INVOKESTATIC,
                POINTS,
                "put",
                "(" + HookDescriptor.of(Type.getType(access.descriptor)) + PUT,
                false);
    }

    private void putObject() {
        super.visitMethodInsn(Opcodes.INVOKESTATIC, POINTS, "put", "(Ljava/lang/Object;" + PUT, false);
    }

    @Override
    public void visitMaxs(int maxStack, int maxLocals) {
        super.visitMaxs(maxStack + DEEPEST, maxLocals);
    }

    /** One instruction that reads or writes a field. Immutable. */
    static final class Access {
        final int opcode;
        final String owner;
        final String name;
        final String descriptor;
        /** 0 if it isn't known. */
        final int line;

        Access(int opcode, String owner, String name, String descriptor, int line) {
            this.opcode = opcode;
            this.owner = owner;
            this.name = name;
            this.descriptor = descriptor;
            this.line = line;
        }

        boolean isWrite() {
            return opcode == Opcodes.PUTFIELD || opcode == Opcodes.PUTSTATIC;
        }

        boolean isStatic() {
            return opcode == Opcodes.GETSTATIC || opcode == Opcodes.PUTSTATIC;
        }

        boolean isWide() {
            return descriptor.equals("J") || descriptor.equals("D");
        }
    }
}
