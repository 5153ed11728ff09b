package dev.understudy.agent.carry;

import dev.understudy.agent.bootstrap.Elements;
import dev.understudy.agent.weave.MethodEdit;
import java.util.HashMap;
import java.util.Map;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;
import org.jspecify.annotations.Nullable;

/** Where the JDK's queues take elements in and give them out: the methods that the others of each class call. */
final class QueuePoint extends MethodVisitor {
    private static final String ELEMENTS = Type.getInternalName(Elements.class);
    private static final String OBJECT = "Ljava/lang/Object;";
    private static final String TIMED = "JLjava/util/concurrent/TimeUnit;)";
    private static final String DELAYED = "Ljava/util/concurrent/Delayed;";

    /** Told at the entry, of the argument or of the queue itself; null for nothing. */
    private final @Nullable String first;

    private final boolean tellsTaken;

    private QueuePoint(MethodVisitor next, @Nullable String first, boolean tellsTaken) {
        super(Opcodes.ASM9, next);
        this.first = first;
        this.tellsTaken = tellsTaken;
    }

    /** What is changed in which class, named with slashes. */
    static Map<String, Map<String, MethodEdit>> all() {
        Map<String, Map<String, MethodEdit>> all = new HashMap<>();
        Map<String, MethodEdit> plain = new HashMap<>();
        ends(plain, "");
        for (String name : new String[] {"LinkedTransferQueue", "PriorityBlockingQueue", "SynchronousQueue"}) {
            all.put("java/util/concurrent/" + name, plain);
        }
        Map<String, MethodEdit> usual = new HashMap<>(plain);
        inside(usual);
        all.put("java/util/concurrent/LinkedBlockingQueue", usual);
        all.put("java/util/concurrent/ArrayBlockingQueue", usual);
        Map<String, MethodEdit> atBothEnds = new HashMap<>();
        ends(atBothEnds, "First");
        ends(atBothEnds, "Last");
        all.put("java/util/concurrent/LinkedBlockingDeque", atBothEnds);
        all.put("java/util/concurrent/ConcurrentLinkedQueue", plain);
        Map<String, MethodEdit> linked = new HashMap<>(atBothEnds);
        linked.put("linkFirst(" + OBJECT + ")V", putting());
        linked.put("linkLast(" + OBJECT + ")V", putting());
        all.put("java/util/concurrent/ConcurrentLinkedDeque", linked);
        Map<String, MethodEdit> delay = new HashMap<>();
        delay.put("offer(" + DELAYED + ")Z", putting());
        delay.put("take()" + DELAYED, taking());
        delay.put("poll()" + DELAYED, taking());
        delay.put("poll(" + TIMED + DELAYED, taking());
        all.put("java/util/concurrent/DelayQueue", delay);
        return all;
    }

    private static void ends(Map<String, MethodEdit> edits, String end) {
        edits.put("put" + end + "(" + OBJECT + ")V", putting());
        edits.put("offer" + end + "(" + OBJECT + ")Z", putting());
        edits.put("offer" + end + "(" + OBJECT + TIMED + "Z", putting());
        edits.put("take" + end + "()" + OBJECT, taking());
        edits.put("poll" + end + "()" + OBJECT, taking());
        edits.put("poll" + end + "(" + TIMED + OBJECT, taking());
    }

    private static MethodEdit putting() {
        return (next, slots) -> new QueuePoint(next, "put", false);
    }

    private static MethodEdit taking() {
        return (next, slots) -> new QueuePoint(next, "taking", true);
    }

    /** Where a thread that waits has still to come by, also one that began to wait before the agent was there. */
    private static void inside(Map<String, MethodEdit> edits) {
        edits.replaceAll((method, edit) ->
                method.endsWith(")" + OBJECT) ? (next, slots) -> new QueuePoint(next, "taking", false) : edit);
        edits.put("dequeue()" + OBJECT, (next, slots) -> new QueuePoint(next, null, true));
    }

    @Override
    public void visitCode() {
        super.visitCode();
        if (first != null) {
            mv.visitVarInsn(Opcodes.ALOAD, first.equals("put") ? 1 : 0);
            mv.visitMethodInsn(Opcodes.INVOKESTATIC, ELEMENTS, first, "(Ljava/lang/Object;)V", false);
        }
    }

    @Override
    public void visitInsn(int opcode) {
        if (tellsTaken && opcode == Opcodes.ARETURN) {
            mv.visitInsn(Opcodes.DUP);
            mv.visitVarInsn(Opcodes.ALOAD, 0);
            mv.visitMethodInsn(
                    Opcodes.INVOKESTATIC, ELEMENTS, "taken", "(Ljava/lang/Object;Ljava/lang/Object;)V", false);
        }
        super.visitInsn(opcode);
    }

    @Override
    public void visitMaxs(int maxStack, int maxLocals) {
        super.visitMaxs(maxStack + 2, maxLocals);
    }
}
