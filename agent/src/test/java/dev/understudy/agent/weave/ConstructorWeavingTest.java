package dev.understudy.agent.weave;

import dev.understudy.agent.bootstrap.ExchangeTraffic;
import dev.understudy.agent.bootstrap.Observed;
import dev.understudy.agent.bootstrap.ObservedPredicate;
import dev.understudy.agent.bootstrap.Probes;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class ConstructorWeavingTest {
    private static final String MAKERS = Makers.class.getName();

    private final WovenLoader loader = new WovenLoader(name -> name.startsWith(MAKERS));

    @Test
    void constructorsAndLambdas_makeWhatPlainOnesMake() throws Exception {
        Method all = loader.loadClass(MAKERS).getMethod("all", int.class);
        for (int n = 0; n < 20; n++) {
            assertThat(all.invoke(null, n)).isEqualTo(Makers.all(n));
        }
    }

    @Test
    void thoseThatDoSomething_haveProbes_withTheirParametersIfThereAreSeveral() throws Exception {
        loader.loadClass(MAKERS).getMethod("all", int.class).invoke(null, 4);

        assertThat(names())
                .contains(
                        MAKERS + "$Order#<init>(int)",
                        MAKERS + "$Order#<init>(int,String)",
                        MAKERS + "$Chosen#<init>",
                        MAKERS + "$Looping#<init>",
                        MAKERS + "$Guarded#<init>",
                        MAKERS + "$Within$Inner#<init>",
                        MAKERS + "#lambda$lazily$0")
                .as("six bytes")
                .noneMatch(name -> name.contains("lambda$twice"));
    }

    @Test
    void thoseThatOnlyStore_andThoseOfThrowables_haveNone() throws Exception {
        loader.loadClass(MAKERS).getMethod("all", int.class).invoke(null, 4);

        assertThat(names())
                .noneMatch(name -> name.startsWith(MAKERS + "$Plain#<init>"))
                .noneMatch(name -> name.startsWith(MAKERS + "$Within#<init>"))
                .noneMatch(name -> name.startsWith(MAKERS + "#<init>"))
                .noneMatch(name -> name.startsWith(MAKERS + "$MadeProblem#<init>"))
                .noneMatch(name -> name.startsWith(MAKERS + "$NotAProblem#<init>"));
    }

    @Test
    void constructors_areSeenInTheOrderOfTheirOwnCode_andThrowing() throws Exception {
        Constructor<?> order = loader.loadClass(MAKERS + "$Order").getDeclaredConstructor(int.class);
        order.setAccessible(true);

        // the other constructor has run before this one's own code begins
        assertThat(told(ExchangeTraffic.of(() -> order.newInstance(1))))
                .containsExactly("Order#<init>(int,String) 0", "Order#<init>(int) 0");
        assertThat(told(ExchangeTraffic.of(() -> attempt(order))))
                .containsExactly("Order#<init>(int,String) 0", "Order#<init>(int,String) 1");
    }

    @Test
    void everyClassFileVersion_hasItsConstructorsWovenAndRuns() throws Exception {
        int newest = Runtime.version().feature() + 44;
        for (int version = 45; version <= newest; version++) {
            Class<?> woven = new WovenLoader(name -> false).define("c.V" + version, dividing("c/V" + version, version));
            Constructor<?> made = woven.getConstructor(int.class);
            int before = hitsOf("c.V" + version);
            assertThat(woven.getField("value").get(made.newInstance(5)))
                    .as("version %d", version)
                    .isEqualTo(20);
            assertThat(woven.getField("value").get(made.newInstance(-100)))
                    .as("version %d", version)
                    .isEqualTo(-1);
            assertThatThrownBy(() -> made.newInstance(0))
                    .as("version %d", version)
                    .hasRootCauseInstanceOf(ArithmeticException.class);
            assertThat(hitsOf("c.V" + version) - before)
                    .as("version %d", version)
                    .isEqualTo(3);
        }
    }

    @Test
    void constructorsThatCallTheirParentsInTwoPlaces_stayAsTheyAre() throws Exception {
        Class<?> woven = new WovenLoader(name -> false).define("c.Twice", twofold());

        assertThat(woven.getConstructor(int.class).newInstance(1)).hasToString("made");
        assertThat(woven.getConstructor(int.class).newInstance(0)).hasToString("made");
        assertThat(names()).contains("c.Twice#toString").doesNotContain("c.Twice#<init>");
    }

    private static Object attempt(Constructor<?> order) throws ReflectiveOperationException {
        try {
            return order.newInstance(-1);
        } catch (InvocationTargetException refused) {
            return refused;
        }
    }

    /** What held of constructors: which, and the kind if it is 0, called, or 1, threw. */
    private static List<String> told(Observed observed) {
        return Arrays.stream(observed.predicates())
                .filter(one -> one < ObservedPredicate.BRANCHES * ObservedPredicate.KINDS)
                .filter(one -> one % ObservedPredicate.KINDS <= 1)
                .mapToObj(one -> WovenLoader.DIRECTORY
                                .probe(one / ObservedPredicate.KINDS)
                                .toString()
                                .substring(MAKERS.length() + 1)
                        + ' '
                        + one % ObservedPredicate.KINDS)
                .filter(one -> one.contains("<init>"))
                .collect(Collectors.toList());
    }

    private static List<String> names() {
        return IntStream.range(1, WovenLoader.DIRECTORY.probes())
                .mapToObj(number -> WovenLoader.DIRECTORY.probe(number).toString())
                .collect(Collectors.toList());
    }

    private static int hitsOf(String className) {
        return IntStream.range(1, WovenLoader.DIRECTORY.probes())
                .filter(number ->
                        WovenLoader.DIRECTORY.probe(number).className().equals(className))
                .map(Probes::hits)
                .sum();
    }

    /**
     * {@code C(int n) { super(n > 0 ? new Object() : new Object()…); value = 100 / n; }}, -1 by a handler that catches
     * what it throws for -100, with a jump before the parent's constructor and one behind.
     */
    private static byte[] dividing(String name, int version) {
        ClassWriter writer = new ClassWriter(version >= 50 ? ClassWriter.COMPUTE_FRAMES : ClassWriter.COMPUTE_MAXS);
        writer.visit(version, Opcodes.ACC_PUBLIC, name, null, "java/lang/Object", null);
        writer.visitField(Opcodes.ACC_PUBLIC, "value", "I", null, null);
        MethodVisitor code = writer.visitMethod(Opcodes.ACC_PUBLIC, "<init>", "(I)V", null, null);
        code.visitCode();
        Label start = new Label();
        Label end = new Label();
        Label handler = new Label();
        Label negative = new Label();
        Label chosen = new Label();
        Label small = new Label();
        code.visitTryCatchBlock(start, end, handler, "java/lang/IllegalStateException");
        code.visitVarInsn(Opcodes.ALOAD, 0);
        code.visitVarInsn(Opcodes.ILOAD, 1);
        code.visitJumpInsn(Opcodes.IFLT, negative);
        object(code);
        code.visitJumpInsn(Opcodes.GOTO, chosen);
        code.visitLabel(negative);
        object(code);
        code.visitLabel(chosen);
        code.visitInsn(Opcodes.POP);
        code.visitMethodInsn(Opcodes.INVOKESPECIAL, "java/lang/Object", "<init>", "()V", false);
        code.visitLabel(start);
        code.visitVarInsn(Opcodes.ILOAD, 1);
        code.visitIntInsn(Opcodes.BIPUSH, -100);
        code.visitJumpInsn(Opcodes.IF_ICMPNE, small);
        code.visitTypeInsn(Opcodes.NEW, "java/lang/IllegalStateException");
        code.visitInsn(Opcodes.DUP);
        code.visitMethodInsn(Opcodes.INVOKESPECIAL, "java/lang/IllegalStateException", "<init>", "()V", false);
        code.visitInsn(Opcodes.ATHROW);
        code.visitLabel(small);
        code.visitVarInsn(Opcodes.ALOAD, 0);
        code.visitIntInsn(Opcodes.BIPUSH, 100);
        code.visitVarInsn(Opcodes.ILOAD, 1);
        code.visitInsn(Opcodes.IDIV);
        code.visitFieldInsn(Opcodes.PUTFIELD, name, "value", "I");
        code.visitLabel(end);
        code.visitInsn(Opcodes.RETURN);
        code.visitLabel(handler);
        code.visitInsn(Opcodes.POP);
        code.visitVarInsn(Opcodes.ALOAD, 0);
        code.visitInsn(Opcodes.ICONST_M1);
        code.visitFieldInsn(Opcodes.PUTFIELD, name, "value", "I");
        code.visitInsn(Opcodes.RETURN);
        code.visitMaxs(0, 0);
        code.visitEnd();
        writer.visitEnd();
        return writer.toByteArray();
    }

    private static void object(MethodVisitor code) {
        code.visitTypeInsn(Opcodes.NEW, "java/lang/Object");
        code.visitInsn(Opcodes.DUP);
        code.visitMethodInsn(Opcodes.INVOKESPECIAL, "java/lang/Object", "<init>", "()V", false);
    }

    /** A constructor that calls its parent's in either way of a jump, as no compiler does. */
    private static byte[] twofold() {
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_FRAMES);
        writer.visit(Opcodes.V11, Opcodes.ACC_PUBLIC, "c/Twice", null, "java/lang/Object", null);
        MethodVisitor code = writer.visitMethod(Opcodes.ACC_PUBLIC, "<init>", "(I)V", null, null);
        code.visitCode();
        Label other = new Label();
        code.visitVarInsn(Opcodes.ILOAD, 1);
        code.visitJumpInsn(Opcodes.IFEQ, other);
        made(code);
        code.visitLabel(other);
        made(code);
        code.visitMaxs(0, 0);
        code.visitEnd();
        MethodVisitor text = writer.visitMethod(Opcodes.ACC_PUBLIC, "toString", "()Ljava/lang/String;", null, null);
        text.visitCode();
        text.visitLdcInsn("ma");
        text.visitLdcInsn("de");
        text.visitMethodInsn(
                Opcodes.INVOKEVIRTUAL, "java/lang/String", "concat", "(Ljava/lang/String;)Ljava/lang/String;", false);
        text.visitInsn(Opcodes.ARETURN);
        text.visitMaxs(0, 0);
        text.visitEnd();
        writer.visitEnd();
        return writer.toByteArray();
    }

    private static void made(MethodVisitor code) {
        code.visitVarInsn(Opcodes.ALOAD, 0);
        code.visitMethodInsn(Opcodes.INVOKESPECIAL, "java/lang/Object", "<init>", "()V", false);
        code.visitVarInsn(Opcodes.ALOAD, 0);
        code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, "java/lang/Object", "hashCode", "()I", false);
        code.visitInsn(Opcodes.POP);
        code.visitInsn(Opcodes.RETURN);
    }
}
