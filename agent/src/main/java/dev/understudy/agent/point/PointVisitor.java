package dev.understudy.agent.point;

import dev.understudy.agent.bootstrap.Points;
import dev.understudy.agent.weave.HookDescriptor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;
import org.jspecify.annotations.Nullable;

/**
 * Has one method tell {@link Points} its values at the places of its points.
 *
 * <p>What it adds has no jump, so no frame changes but the new one of the handler for what is thrown. A value is taken
 * only from a slot that surely has it: the debug information names it, and what was stored last is of its kind.
 */
final class PointVisitor extends BeforeInstructions {
    private static final String POINTS = Type.getInternalName(Points.class);
    private static final String PUT = "Ljava/lang/Object;)Ljava/lang/Object;";
    /** On top of what the method has there. */
    private static final int DEEPEST = 8;

    private final String className;
    private final MethodVariables method;
    private final Map<PointSite, PointPlace> sites;
    private final boolean frames;
    private final Label start = new Label();
    private final List<Label> labelsHere = new ArrayList<>();
    private final Map<Label, Label> renamed = new HashMap<>();
    private final Map<Integer, Integer> straightAt = new HashMap<>();
    private final List<PointSite> due = new ArrayList<>();
    private char[] kinds = {};
    private int labels;
    private int straight;

    /**
     * @param className the class's, with slashes
     * @param sites what is woven, and where
     * @param frames whether the class file has stack map frames
     */
    PointVisitor(
            MethodVisitor next,
            String className,
            MethodVariables method,
            Map<PointSite, PointPlace> sites,
            boolean frames) {
        super(next);
        this.className = className;
        this.method = method;
        this.sites = sites;
        this.frames = frames;
    }

    @Override
    public void visitCode() {
        super.visitCode();
        mv.visitLabel(start);
        forget();
        at(PointPlace.At.ENTRY).forEach(site -> tell(site, false));
    }

    private List<PointSite> at(PointPlace.At at) {
        List<PointSite> found = new ArrayList<>();
        sites.forEach((site, place) -> {
            if (place.at == at) {
                found.add(site);
            }
        });
        return found;
    }

    /** Only parameters that nobody touches are known, and all of them at the beginning. */
    private void forget() {
        kinds = new char[0];
        for (MethodVariables.Variable parameter : method.parameters()) {
            if (labels == 0 || method.isKept(parameter.slot)) {
                stored(parameter.slot, parameter.kind());
            }
        }
    }

    @Override
    public void visitLabel(Label label) {
        super.visitLabel(label);
        labels++;
        labelsHere.add(label);
        if (!frames) {
            forget();
        }
    }

    @Override
    public void visitLineNumber(int line, Label label) {
        super.visitLineNumber(line, label);
        for (Map.Entry<PointSite, PointPlace> site : sites.entrySet()) {
            Integer before = straightAt.get(line);
            // a statement of several lines comes back to its first one
            if (site.getValue().line == line && (before == null || before != straight)) {
                due.add(site.getKey());
            }
        }
        straightAt.put(line, straight);
    }

    @Override
    public void visitFrame(int type, int count, @Nullable Object[] local, int numStack, @Nullable Object[] stack) {
        super.visitFrame(type, count, renamed(local), numStack, renamed(stack));
        kinds = MethodVariables.kinds(count, local);
        straight++;
    }

    private @Nullable Object[] renamed(@Nullable Object[] types) {
        return Arrays.stream(types)
                .map(type -> type instanceof Label && renamed.containsKey(type) ? renamed.get(type) : type)
                .toArray();
    }

    @Override
    void before(int opcode) {
        if (!due.isEmpty()) {
            due.forEach(site -> tell(site, false));
            due.clear();
            if (opcode == Opcodes.NEW) {
                // frames know an object that isn't initialised by the label of its instruction
                Label moved = new Label();
                mv.visitLabel(moved);
                labelsHere.forEach(label -> renamed.put(label, moved));
            }
        }
        labelsHere.clear();
        if (opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN) {
            at(PointPlace.At.EXIT).forEach(site -> tell(site, opcode != Opcodes.RETURN));
        }
        boolean jumps = opcode >= Opcodes.IFEQ && opcode <= Opcodes.LOOKUPSWITCH;
        straight += jumps || opcode == Opcodes.IFNULL || opcode == Opcodes.IFNONNULL ? 1 : 0;
    }

    @Override
    public void visitVarInsn(int opcode, int slot) {
        super.visitVarInsn(opcode, slot);
        if (opcode >= Opcodes.ISTORE && opcode <= Opcodes.ASTORE) {
            stored(slot, "IJFDA".charAt(opcode - Opcodes.ISTORE));
        }
    }

    private void stored(int slot, char kind) {
        boolean wide = kind == 'J' || kind == 'D';
        if (slot + 2 > kinds.length) {
            kinds = Arrays.copyOf(kinds, slot + 2);
        }
        if (slot > 0 && (kinds[slot - 1] == 'J' || kinds[slot - 1] == 'D')) {
            kinds[slot - 1] = ' ';
        }
        kinds[slot] = kind;
        if (wide) {
            kinds[slot + 1] = ' ';
        }
    }

    /** With {@code onStack} what is returned, or thrown, is on the stack, and stays there. */
    private void tell(PointSite site, boolean onStack) {
        List<String> names = site.names();
        int first = 0;
        Type told = method.returned();
        boolean thrown = !names.isEmpty() && names.get(0).equals("exception") && onStack;
        if (thrown || (onStack && !names.isEmpty() && names.get(0).equals("return"))) {
            told = thrown ? Type.getType(Throwable.class) : told;
            mv.visitInsn(told.getSize() == 2 ? Opcodes.DUP2 : Opcodes.DUP);
            ask(site);
            put(told);
            first = 1;
        } else {
            ask(site);
        }
        for (String name : names.subList(first, names.size())) {
            value(name);
        }
        mv.visitMethodInsn(Opcodes.INVOKESTATIC, POINTS, "done", "(Ljava/lang/Object;)V", false);
    }

    private void ask(PointSite site) {
        mv.visitIntInsn(Opcodes.SIPUSH, site.number);
        mv.visitMethodInsn(Opcodes.INVOKESTATIC, POINTS, "due", "(I)Ljava/lang/Object;", false);
    }

    private void value(String name) {
        MethodVariables.Variable variable = variable(name);
        if (name.equals("this") && !method.isStatic() && method.isKept(0)) {
            load(Type.getObjectType(className), 0);
        } else if (variable != null && variable.slot < kinds.length && kinds[variable.slot] == variable.kind()) {
            load(variable.type, variable.slot);
        } else {
            mv.visitMethodInsn(Opcodes.INVOKESTATIC, POINTS, "absent", "(Ljava/lang/Object;)Ljava/lang/Object;", false);
        }
    }

    private MethodVariables.@Nullable Variable variable(String name) {
        MethodVariables.Variable local = method.local(name, labels);
        return local == null ? method.parameter(name) : local;
    }

    private void load(Type type, int slot) {
        mv.visitVarInsn(type.getOpcode(Opcodes.ILOAD), slot);
        if (type.getSize() == 2) {
            mv.visitInsn(Opcodes.DUP2_X1);
            mv.visitInsn(Opcodes.POP2);
        } else {
            mv.visitInsn(Opcodes.SWAP);
        }
        put(type);
    }

    private void put(Type type) {
        mv.visitMethodInsn(Opcodes.INVOKESTATIC, POINTS, "put", "(" + HookDescriptor.of(type) + PUT, false);
    }

    @Override
    public void visitMaxs(int maxStack, int maxLocals) {
        List<PointSite> thrown = at(PointPlace.At.THROW);
        if (!thrown.isEmpty()) {
            Label end = new Label();
            mv.visitTryCatchBlock(start, end, end, null);
            mv.visitLabel(end);
            labels = Integer.MAX_VALUE; // no local variable is known here
            forget();
            if (frames) {
                Object[] locals = kept();
                mv.visitFrame(Opcodes.F_NEW, locals.length, locals, 1, new Object[] {"java/lang/Throwable"});
            }
            thrown.forEach(site -> tell(site, true));
            mv.visitInsn(Opcodes.ATHROW);
        }
        super.visitMaxs(maxStack + DEEPEST, maxLocals);
    }

    /** What holds all over the method: {@code this} and the parameters that nobody touches. */
    private Object[] kept() {
        List<Object> kept = new ArrayList<>();
        if (!method.isStatic()) {
            kept.add(method.isKept(0) ? className : Opcodes.TOP);
        }
        for (MethodVariables.Variable parameter : method.parameters()) {
            boolean known = method.isKept(parameter.slot);
            switch (parameter.kind()) {
                case 'J':
                case 'D':
                    if (known) {
                        kept.add(parameter.kind() == 'J' ? Opcodes.LONG : Opcodes.DOUBLE);
                    } else {
                        kept.add(Opcodes.TOP);
                        kept.add(Opcodes.TOP);
                    }
                    break;
                case 'F':
                    kept.add(known ? Opcodes.FLOAT : Opcodes.TOP);
                    break;
                case 'A':
                    kept.add(known ? parameter.type.getInternalName() : Opcodes.TOP);
                    break;
                default:
                    kept.add(known ? Opcodes.INTEGER : Opcodes.TOP);
            }
        }
        return kept.toArray();
    }
}
