package dev.understudy.agent.lock;

import dev.understudy.agent.bootstrap.Locks;
import java.util.Set;
import java.util.function.Consumer;
import net.bytebuddy.jar.asm.Handle;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;
import org.jspecify.annotations.Nullable;

/**
 * Tells {@link Locks} where a method takes locks: before each {@code monitorenter}, around calls of the JDK's locks, before calls of
 * methods that may be synchronized, and at the entry of one that is.
 *
 * <p>Calls are added where there is one anyway, or one that can throw as well with the same monitors held. So whoever looks whether
 * monitors are given back on all ways out (HotSpot compiles no method in which they might not be) finds what it found before. No
 * frame changes.
 */
final class LockVisitor extends MethodVisitor {
    private static final String LOCKS = Type.getInternalName(Locks.class);
    private static final String OBJECT = "Ljava/lang/Object;";
    private static final String JUC = "java/util/concurrent/locks/";
    private static final Set<String> OWNERS = Set.of(
            JUC + "Lock",
            JUC + "ReentrantLock",
            JUC + "ReentrantReadWriteLock$ReadLock",
            JUC + "ReentrantReadWriteLock$WriteLock");
    private static final String IN_TIME = "tryLock(JLjava/util/concurrent/TimeUnit;)Z";
    private static final Set<String> WAITING = Set.of("lock()V", "lockInterruptibly()V", IN_TIME);
    /** A class file may name its own class by a constant since then. */
    private static final int CLASS_CONSTANTS = 49;
    /** Jumps lead to frames since then. */
    private static final int FRAMES = 50;

    /** So many places of a method are told of, and so many calls. */
    private static final int MOST = 24;
    /** What it adds to a method at most: around a call of one of the JDK's locks 21, before another call 10, where variables and constants are many. */
    static final int BYTES = MOST * (21 + 10);

    private static final int DEEPEST = 3;

    private final LockSites sites;
    private final LockedMethod method;
    private final int token;
    private final Consumer<WovenLock> placed;
    private int line;
    private int places;
    private int calls;
    /** Objects that were made, but not initialised yet; they may not be passed on. */
    private int raw;
    /** What the object on top of the stack is called, as far as that is known. */
    private String top = "";

    LockVisitor(MethodVisitor next, LockSites sites, LockedMethod method, int token, Consumer<WovenLock> placed) {
        super(Opcodes.ASM9, next);
        this.sites = sites;
        this.method = method;
        this.token = token;
        this.placed = placed;
    }

    @Override
    public void visitCode() {
        super.visitCode();
        if (!method.isSynchronized() || (method.isStatic() && method.version < CLASS_CONSTANTS)) {
            return;
        }
        WovenLock place =
                place(method.isStatic() ? simple(method.className) + ".class" : "this " + simple(method.className));
        if (place != null) {
            if (method.isStatic()) {
                super.visitLdcInsn(Type.getObjectType(method.className.replace('.', '/')));
            } else {
                super.visitVarInsn(Opcodes.ALOAD, 0);
            }
            tell("inside", OBJECT, place);
        }
    }

    @Override
    public void visitInsn(int opcode) {
        if (opcode == Opcodes.MONITORENTER && raw == 0) {
            WovenLock place = place(top);
            if (place != null) {
                super.visitInsn(Opcodes.DUP);
                tell("entering", OBJECT, place);
            }
        }
        super.visitInsn(opcode);
        top = opcode == Opcodes.DUP ? top : "";
    }

    @Override
    public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean ofInterface) {
        boolean asks = OWNERS.contains(owner) && WAITING.contains(name + descriptor);
        boolean inTime = IN_TIME.equals(name + descriptor);
        WovenLock place = asks ? place(inTime ? "" : top) : null; // its arguments lie above it
        if (place != null && inTime) {
            tell("trying", "", place);
        } else if (place != null) {
            super.visitInsn(Opcodes.DUP);
            tell("locking", OBJECT, place);
        } else if (!asks && isOurs(owner) && calls < MOST && sites.mayBeSynchronized(name + descriptor)) {
            calls++;
            super.visitVarInsn(Opcodes.ALOAD, token);
            super.visitLdcInsn(method.className + '#' + method.name);
            super.visitMethodInsn(Opcodes.INVOKESTATIC, LOCKS, "calling", "(" + OBJECT + "Ljava/lang/String;)V", false);
        }
        super.visitMethodInsn(opcode, owner, name, descriptor, ofInterface);
        if (place != null) {
            tell("locked", "", place);
        }
        if (name.equals("<init>")) {
            raw = Math.max(0, raw - 1);
        }
        top = descriptor.startsWith("()") && opcode != Opcodes.INVOKESTATIC && !top.isEmpty()
                ? top + '.' + name + "()"
                : "";
    }

    /** The JDK's own classes aren't woven. */
    private static boolean isOurs(String owner) {
        return !owner.startsWith("java/") && !owner.startsWith("[");
    }

    private void tell(String what, String lock, WovenLock place) {
        super.visitVarInsn(Opcodes.ALOAD, token);
        Label here = new Label();
        mv.visitLabel(here);
        place.toldAt(here);
        super.visitIntInsn(Opcodes.SIPUSH, place.number);
        super.visitMethodInsn(Opcodes.INVOKESTATIC, LOCKS, what, "(" + lock + OBJECT + "I)V", false);
    }

    /** Null if it isn't told of. */
    private @Nullable WovenLock place(String lock) {
        if (places >= MOST) {
            return null;
        }
        int index = places++;
        int number =
                sites.directory().number(method.loader, method.className, method.key, method.label, index, line, lock);
        if (number == 0) {
            return null;
        }
        WovenLock place = new WovenLock(method.key, method.label, index, line, lock, number);
        placed.accept(place);
        return place;
    }

    private static String simple(String className) {
        return className.substring(Math.max(className.lastIndexOf('.'), className.lastIndexOf('/')) + 1);
    }

    @Override
    public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
        super.visitFieldInsn(opcode, owner, name, descriptor);
        top = opcode == Opcodes.GETFIELD || opcode == Opcodes.GETSTATIC ? simple(owner) + '.' + name : "";
    }

    @Override
    public void visitVarInsn(int opcode, int slot) {
        super.visitVarInsn(opcode, slot);
        if (opcode != Opcodes.ASTORE) { // what stays below it is what was doubled
            top = opcode == Opcodes.ALOAD && slot == 0 && !method.isStatic() ? "this " + simple(method.className) : "";
        }
    }

    @Override
    public void visitLdcInsn(Object value) {
        super.visitLdcInsn(value);
        top = value instanceof Type && ((Type) value).getSort() == Type.OBJECT
                ? simple(((Type) value).getInternalName()) + ".class"
                : "";
    }

    @Override
    public void visitTypeInsn(int opcode, String type) {
        super.visitTypeInsn(opcode, type);
        if (opcode == Opcodes.NEW) {
            raw++;
        }
        top = opcode == Opcodes.CHECKCAST ? top : "";
    }

    @Override
    public void visitLabel(Label label) {
        super.visitLabel(label);
        top = method.version < FRAMES ? "" : top;
    }

    @Override
    public void visitFrame(int type, int numLocal, @Nullable Object[] local, int numStack, @Nullable Object[] stack) {
        super.visitFrame(type, numLocal, local, numStack, stack);
        top = ""; // it may have come from elsewhere
    }

    @Override
    public void visitLineNumber(int number, Label start) {
        super.visitLineNumber(number, start);
        line = number;
    }

    @Override
    public void visitJumpInsn(int opcode, Label label) {
        super.visitJumpInsn(opcode, label);
        top = "";
    }

    @Override
    public void visitIntInsn(int opcode, int operand) {
        super.visitIntInsn(opcode, operand);
        top = "";
    }

    @Override
    public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
        super.visitInvokeDynamicInsn(name, descriptor, bootstrap, arguments);
        top = "";
    }

    @Override
    public void visitMaxs(int maxStack, int maxLocals) {
        super.visitMaxs(maxStack + DEEPEST, maxLocals);
    }
}
