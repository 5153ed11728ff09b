package dev.understudy.agent.lock;

import dev.understudy.agent.bootstrap.Locks;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import net.bytebuddy.jar.asm.Handle;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;
import org.jspecify.annotations.Nullable;

/**
 * Tells {@link Locks} where a method takes locks: before each {@code monitorenter}, around calls of the JDK's locks,
 * before calls of methods that may be synchronized, and at the entry of one that is; and where it gives them back:
 * before each {@code monitorexit} and each {@code unlock}, around what makes another stamp of a stamp, and around waits
 * on conditions.
 *
 * <p>Calls are added where there is one anyway, or one that can throw as well with the same monitors held. So whoever
 * looks whether monitors are given back on all ways out (HotSpot compiles no method in which they might not be) finds
 * what it found before. Nor are any added to a handler that covers itself, as those of synchronized blocks do:
 * HotSpot's first compiler leaves such a method to the interpreter if anything but the {@code monitorexit} may throw
 * there. No frame changes. Of a constructor nothing is told before it is its object's: there is no token yet.
 */
final class LockVisitor extends MethodVisitor {
    private static final String LOCKS = Type.getInternalName(Locks.class);
    private static final String OBJECT = "Ljava/lang/Object;";
    /** A class file may name its own class by a constant since then. */
    private static final int CLASS_CONSTANTS = 49;
    /** Jumps lead to frames since then. */
    private static final int FRAMES = 50;

    /** So many places of a method are told of, so many calls, and so many waits. */
    private static final int MOST = 24;
    /** And so many places where locks are given back: each way out of a block has its own. */
    private static final int MOST_ENDS = 2 * MOST;
    /**
     * What it adds to a method at most: around a call of one of the JDK's locks 31 (20 where a stamp is converted),
     * before another call 10, before a {@code monitorexit} 8, around a wait 6, where variables and constants are many.
     */
    static final int BYTES = MOST * (31 + 10 + 6) + MOST_ENDS * 8;

    private static final int DEEPEST = 4;
    /** From a lock, a time and its unit to the time, the lock, the unit, and the lock once more. */
    private static final int[] LOCK_FROM_BELOW_TIME = {
        Opcodes.DUP_X2, Opcodes.POP, Opcodes.DUP2_X2, Opcodes.POP2, Opcodes.DUP2, Opcodes.POP
    };
    /** And back, once the last of them is gone. */
    private static final int[] LOCK_BELOW_TIME = {Opcodes.DUP2_X2, Opcodes.POP2, Opcodes.DUP2_X1, Opcodes.POP2};
    /** From a lock and a stamp to these and the lock once more. */
    private static final int[] LOCK_FROM_BELOW_STAMP = {Opcodes.DUP2_X1, Opcodes.POP2, Opcodes.DUP_X2};
    /** From a lock and a stamp to both of them twice. */
    private static final int[] LOCK_AND_STAMP = {
        Opcodes.DUP2_X1, Opcodes.POP2, Opcodes.DUP_X2, Opcodes.DUP_X2, Opcodes.POP, Opcodes.DUP2_X1
    };

    private final LockSites sites;
    private final LockedMethod method;
    private final int token;
    private final Consumer<WovenLock> placed;
    private int line;
    private int places;
    private int calls;
    private int ends;
    private int waits;
    /** Where exceptions are caught. */
    private final List<CaughtRange> ranges = new ArrayList<>();
    /** Objects that were made, but not initialised yet; they may not be passed on. */
    private int raw;
    /** How many constructors are called before a constructor is its object's. */
    private int bare;
    /**
     * What the object on top of the stack is called, as far as that is known; the field's name alone while
     * {@link #topOwner} is there.
     */
    private String top = "";
    /** The class of the field that it was read from: nearly all are followed by what makes their names worthless. */
    private @Nullable String topOwner;

    private @Nullable String self;

    private LockVisitor(
            MethodVisitor next, LockSites sites, LockedMethod method, int token, Consumer<WovenLock> placed) {
        super(Opcodes.ASM9, next);
        this.sites = sites;
        this.method = method;
        this.token = token;
        this.placed = placed;
        this.bare = method.begin;
    }

    /** Whoever calls this is loaded without this class. */
    static MethodVisitor of(
            MethodVisitor next, LockSites sites, LockedMethod method, int token, Consumer<WovenLock> placed) {
        return new LockVisitor(next, sites, method, token, placed);
    }

    @Override
    public void visitCode() {
        super.visitCode();
        if (!method.isSynchronized() || (method.isStatic() && method.version < CLASS_CONSTANTS)) {
            return;
        }
        WovenLock place = place(method.isStatic() ? simple(method.className) + ".class" : self());
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
        if (opcode == Opcodes.MONITORENTER && raw == 0 && bare == 0) {
            WovenLock place = place(top());
            if (place != null) {
                super.visitInsn(Opcodes.DUP);
                tell("entering", OBJECT, place);
            }
        } else if (opcode == Opcodes.MONITOREXIT && raw == 0 && isTold()) {
            super.visitInsn(Opcodes.DUP);
            super.visitVarInsn(Opcodes.ALOAD, token);
            call("leaving", "(" + OBJECT + OBJECT + ")V");
        }
        super.visitInsn(opcode);
        if (opcode != Opcodes.DUP) {
            isTop("");
        }
    }

    @Override
    public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean ofInterface) {
        String method = name + descriptor;
        JdkLocks.Taking taking = bare == 0 ? JdkLocks.taking(owner, method) : null;
        WovenLock place = taking == null ? null : place(taking.inTime ? "" : top()); // its arguments lie above it
        if (taking != null) {
            asks(taking, place);
        } else if (bare == 0 && isOurs(owner) && calls < MOST && sites.mayBeSynchronized(method)) {
            calls++;
            super.visitVarInsn(Opcodes.ALOAD, token);
            super.visitLdcInsn(this.method.className + '#' + this.method.name);
            call("calling", "(" + OBJECT + "Ljava/lang/String;)V");
        } else if (JdkLocks.givesBack(owner, method) && isTold()) {
            super.visitInsn(Opcodes.DUP);
            call("unlocking", "(" + OBJECT + ")V");
        } else if (JdkLocks.givesBackByStamp(owner, method) && isTold()) {
            visitInsns(LOCK_FROM_BELOW_STAMP);
            call("unlocking", "(" + OBJECT + ")V");
        }
        boolean converts = bare == 0 && JdkLocks.converts(owner, method) && converting();
        boolean pauses = bare == 0 && isWait(opcode, owner, method) && !isInHandler() && waits++ < MOST;
        if (pauses) {
            call("pausing", "()V");
        }
        super.visitMethodInsn(opcode, owner, name, descriptor, ofInterface);
        if (pauses) {
            call("resuming", "()V");
        }
        if (taking != null && place != null) {
            if (!taking.result.isEmpty()) {
                super.visitInsn(taking.result.equals("J") ? Opcodes.DUP2 : Opcodes.DUP);
            }
            tell(taking.behind, taking.result, place);
        }
        if (converts) {
            converted(method);
        }
        if (name.equals("<init>")) {
            raw = Math.max(0, raw - 1);
            bare = Math.max(0, bare - 1);
        }
        boolean reads = descriptor.startsWith("()") && opcode != Opcodes.INVOKESTATIC && !top.isEmpty();
        isTop(reads ? top() + '.' + name + "()" : "");
    }

    private void asks(JdkLocks.Taking taking, @Nullable WovenLock place) {
        if (place == null) {
            return;
        }
        if (taking.inTime) {
            visitInsns(LOCK_FROM_BELOW_TIME);
            tell(taking.before, OBJECT, place);
            visitInsns(LOCK_BELOW_TIME);
        } else {
            super.visitInsn(Opcodes.DUP);
            tell(taking.before, OBJECT, place);
        }
    }

    /** Tells that a stamp is about to be converted; false if that isn't told of. */
    private boolean converting() {
        if (places >= MOST) {
            places = MOST + 1;
            return false;
        }
        visitInsns(LOCK_AND_STAMP);
        call("converting", "(" + OBJECT + "J)V");
        return true;
    }

    /** What is held by the new stamp is held from there on, if anything is. */
    private void converted(String method) {
        WovenLock place = null;
        if (JdkLocks.convertsToLock(method)) {
            place = place(""); // the stamp lay above it
        } else {
            places++;
        }
        super.visitInsn(Opcodes.DUP2);
        tell("converted", "J", place);
    }

    private void visitInsns(int... opcodes) {
        for (int opcode : opcodes) {
            super.visitInsn(opcode);
        }
    }

    /** The JDK's own classes aren't woven. */
    private static boolean isOurs(String owner) {
        return !owner.startsWith("java/") && !owner.startsWith("[");
    }

    /**
     * @param on what it gets from the stack, as descriptors
     * @param place null if it has none, whose number is 0 then
     */
    private void tell(String what, String on, @Nullable WovenLock place) {
        super.visitVarInsn(Opcodes.ALOAD, token);
        if (place != null) {
            Label here = new Label();
            mv.visitLabel(here);
            place.toldAt(here);
        }
        super.visitIntInsn(Opcodes.SIPUSH, place == null ? 0 : place.number);
        call(what, "(" + on + OBJECT + "I)V");
    }

    private void call(String what, String descriptor) {
        super.visitMethodInsn(Opcodes.INVOKESTATIC, LOCKS, what, descriptor, false);
    }

    /**
     * Whether one more place is told of where a lock is given back; not beyond a lock that was taken without being told
     * of.
     */
    private boolean isTold() {
        return bare == 0 && places <= MOST && !isInHandler() && ends++ < MOST_ENDS;
    }

    /** Whether it is in one that covers itself. */
    private boolean isInHandler() {
        return ranges.stream().anyMatch(CaughtRange::isInHandler);
    }

    private static boolean isWait(int opcode, String owner, String method) {
        return (opcode == Opcodes.INVOKEVIRTUAL && JdkLocks.isMonitorWait(method))
                || JdkLocks.isConditionWait(owner, method);
    }

    /** Null if it isn't told of. */
    private @Nullable WovenLock place(String lock) {
        if (places >= MOST) {
            places = MOST + 1;
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

    private void isTop(String name) {
        top = name;
        topOwner = null;
    }

    private String top() {
        return topOwner == null ? top : simple(topOwner) + '.' + top;
    }

    private String self() {
        if (self == null) {
            self = "this " + simple(method.className);
        }
        return self;
    }

    private static String simple(String className) {
        return className.substring(Math.max(className.lastIndexOf('.'), className.lastIndexOf('/')) + 1);
    }

    @Override
    public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
        super.visitFieldInsn(opcode, owner, name, descriptor);
        boolean reads = opcode == Opcodes.GETFIELD || opcode == Opcodes.GETSTATIC;
        top = reads ? name : "";
        topOwner = reads ? owner : null;
    }

    @Override
    public void visitVarInsn(int opcode, int slot) {
        super.visitVarInsn(opcode, slot);
        if (opcode != Opcodes.ASTORE) { // what stays below it is what was doubled
            isTop(opcode == Opcodes.ALOAD && slot == 0 && !method.isStatic() ? self() : "");
        }
    }

    @Override
    public void visitLdcInsn(Object value) {
        super.visitLdcInsn(value);
        boolean named = value instanceof Type && ((Type) value).getSort() == Type.OBJECT;
        isTop(named ? simple(((Type) value).getInternalName()) + ".class" : "");
    }

    @Override
    public void visitTypeInsn(int opcode, String type) {
        super.visitTypeInsn(opcode, type);
        if (opcode == Opcodes.NEW) {
            raw++;
        }
        if (opcode != Opcodes.CHECKCAST) {
            isTop("");
        }
    }

    @Override
    public void visitTryCatchBlock(Label start, Label end, Label handler, @Nullable String type) {
        super.visitTryCatchBlock(start, end, handler, type);
        ranges.add(new CaughtRange(start, end, handler));
    }

    @Override
    public void visitLabel(Label label) {
        super.visitLabel(label);
        ranges.forEach(range -> range.passes(label));
        if (method.version < FRAMES) {
            isTop("");
        }
    }

    @Override
    public void visitFrame(int type, int numLocal, @Nullable Object[] local, int numStack, @Nullable Object[] stack) {
        super.visitFrame(type, numLocal, local, numStack, stack);
        isTop(""); // it may have come from elsewhere
    }

    @Override
    public void visitLineNumber(int number, Label start) {
        super.visitLineNumber(number, start);
        line = number;
    }

    @Override
    public void visitJumpInsn(int opcode, Label label) {
        super.visitJumpInsn(opcode, label);
        isTop("");
    }

    @Override
    public void visitIntInsn(int opcode, int operand) {
        super.visitIntInsn(opcode, operand);
        isTop("");
    }

    @Override
    public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
        super.visitInvokeDynamicInsn(name, descriptor, bootstrap, arguments);
        isTop("");
    }

    @Override
    public void visitMaxs(int maxStack, int maxLocals) {
        super.visitMaxs(maxStack + DEEPEST, maxLocals);
    }
}
