package dev.understudy.agent.carry;

import dev.understudy.agent.bootstrap.Elements;
import dev.understudy.agent.weave.ClassNames;
import dev.understudy.agent.weave.Insertion;
import dev.understudy.agent.weave.MethodEdit;
import java.util.HashMap;
import java.util.Map;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;

/**
 * Where the JDK's queues, and collections in which threads put elements of queues aside, take elements in and give them
 * out: the methods that the others of each class call.
 */
final class QueuePoint extends Insertion {
    private static final String ELEMENTS = ClassNames.of(Elements.class);
    private static final String OBJECT = "Ljava/lang/Object;";
    private static final String TIMED = "JLjava/util/concurrent/TimeUnit;)";
    private static final String NODE = "Ljava/util/LinkedList$Node;)";
    private static final String DELAYED = "Ljava/util/concurrent/Delayed;";

    /** Told at the entry, of the argument or of the queue itself; null for nothing. */
    private final @Nullable String first;

    /** Told before the return, of what is returned and of the queue itself; null for nothing. */
    private final @Nullable String last;

    private QueuePoint(@Nullable String first, @Nullable String last) {
        super(2);
        this.first = first;
        this.last = last;
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
        aside(all);
        return all;
    }

    private static void aside(Map<String, Map<String, MethodEdit>> all) {
        MethodEdit putting = new QueuePoint("putAside", null);
        MethodEdit taking = new QueuePoint("takingAside", "takenAside");
        all.put(
                "java/util/ArrayDeque",
                Map.of(
                        "addFirst(" + OBJECT + ")V", putting,
                        "addLast(" + OBJECT + ")V", putting,
                        "pollFirst()" + OBJECT, taking,
                        "pollLast()" + OBJECT, taking));
        all.put(
                "java/util/LinkedList",
                Map.of(
                        "linkFirst(" + OBJECT + ")V", putting,
                        "linkLast(" + OBJECT + ")V", putting,
                        "unlinkFirst(" + NODE + OBJECT, taking,
                        "unlinkLast(" + NODE + OBJECT, taking));
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
        return new QueuePoint("put", null);
    }

    private static MethodEdit taking() {
        return new QueuePoint("taking", "taken");
    }

    /** Where a thread that waits has still to come by, also one that began to wait before the agent was there. */
    private static void inside(Map<String, MethodEdit> edits) {
        for (Map.Entry<String, MethodEdit> edit : edits.entrySet()) {
            if (edit.getKey().endsWith(")" + OBJECT)) {
                edit.setValue(new QueuePoint("taking", null));
            }
        }
        edits.put("dequeue()" + OBJECT, new QueuePoint(null, "taken"));
    }

    @Override
    protected void enter(MethodVisitor code) {
        if (first != null) {
            code.visitVarInsn(Opcodes.ALOAD, first.startsWith("put") ? 1 : 0);
            code.visitMethodInsn(Opcodes.INVOKESTATIC, ELEMENTS, first, "(Ljava/lang/Object;)V", false);
        }
    }

    @Override
    protected void leave(MethodVisitor code, int opcode) {
        if (last != null && opcode == Opcodes.ARETURN) {
            code.visitInsn(Opcodes.DUP);
            code.visitVarInsn(Opcodes.ALOAD, 0);
            code.visitMethodInsn(
                    Opcodes.INVOKESTATIC, ELEMENTS, last, "(Ljava/lang/Object;Ljava/lang/Object;)V", false);
        }
    }
}
