package dev.understudy.agent.weave;

import dev.understudy.agent.Fuzz;
import dev.understudy.agent.bootstrap.Credit;
import dev.understudy.agent.bootstrap.Gates;
import dev.understudy.agent.bootstrap.Probes;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class WeaverTest {
    private static final String SHAPES = Shapes.class.getName();

    private final WovenLoader loader = new WovenLoader(name -> name.startsWith(SHAPES));

    @Test
    void wovenMethods_haveTheResultsOfPlainOnes_whateverTheGatesAndPeriods() throws Exception {
        Method woven = loader.loadClass(SHAPES).getMethod("transcript", long.class);
        Random seeds = new Random(7);
        int before = WovenLoader.DIRECTORY.probes();
        for (int round = 0; round < 60; round++) {
            long seed = seeds.nextLong();
            setting(round % 4);
            assertThat(woven.invoke(null, seed)).as("seed %d", seed).isEqualTo(Shapes.transcript(seed));
        }
        assertThat(before).isPositive();
    }

    @Test
    void probes_countEveryCallOfEveryMethod() throws Exception {
        Class<?> shapes = loader.loadClass(SHAPES);
        int before = hits("recursive");
        Method recursive = shapes.getDeclaredMethod("recursive", int.class);
        recursive.setAccessible(true);

        assertThat(recursive.invoke(null, 10)).isEqualTo(89);

        assertThat(hits("recursive") - before).isEqualTo(177);
    }

    @Test
    void closedGate_countsNothingAndOpensAgain() throws Exception {
        Class<?> shapes = loader.loadClass(SHAPES);
        Method recursive = shapes.getDeclaredMethod("recursive", int.class);
        recursive.setAccessible(true);
        recursive.invoke(null, 3);
        int gate = probe("recursive").gate();
        int before = hits("recursive");

        Gates.set(false, gate);
        recursive.invoke(null, 10);
        assertThat(hits("recursive")).isEqualTo(before);
        assertThat(Gates.isOpen(gate)).isFalse();

        Gates.set(true, gate);
        recursive.invoke(null, 10);
        assertThat(hits("recursive")).isEqualTo(before + 177);
    }

    @Test
    void methodsThatAreLeftOut_areNotCountedBehindAnOpenGate_othersOfTheirClassAre() throws Exception {
        Class<?> shapes = loader.loadClass(SHAPES);
        Method recursive = shapes.getDeclaredMethod("recursive", int.class);
        recursive.setAccessible(true);
        Method transcript = shapes.getMethod("transcript", long.class);
        int gate = probe("recursive").gate();
        int[] one = numbers(gate, "recursive");
        int[] all = numbers(gate, "");
        int before = hits("recursive");
        int others = hits("transcript");

        Gates.leaveOut(Map.of(gate, one));
        recursive.invoke(null, 10);
        transcript.invoke(null, 7L);
        assertThat(hits("recursive")).isEqualTo(before);
        assertThat(hits("transcript")).isGreaterThan(others);
        assertThat(Gates.isOpen(gate)).isTrue();

        Gates.set(false, gate);
        Gates.leaveOut(Map.of(gate, new int[0]));
        recursive.invoke(null, 10);
        assertThat(hits("recursive")).as("closed is closed").isEqualTo(before);
        Gates.leaveOut(Map.of(gate, all));
        Gates.set(true, gate);
        others = hits("transcript");
        recursive.invoke(null, 10);
        transcript.invoke(null, 7L);
        assertThat(hits("recursive") + hits("transcript")).isEqualTo(before + others);

        Gates.leaveOut(Map.of(gate, new int[0]));
        recursive.invoke(null, 10);
        assertThat(hits("recursive")).isEqualTo(before + 177);
    }

    @Test
    void numbersThatAreFarApart_areAllLeftOut_andNoneBetweenThem() throws Throwable {
        int gate = Gates.CAPACITY - 40;
        MethodHandle enter = Gates.link(
                        MethodHandles.lookup(), "enter", MethodType.methodType(Object.class, int.class), gate)
                .dynamicInvoker();
        int first = Probes.CAPACITY / 2;
        int[] out = {first, first + 1, first + 63, first + 64, first + 130, first + 399};
        Gates.leaveOut(Map.of(gate, out));
        for (int probe = first; probe < first + 400; probe++) {
            int before = Probes.hits(probe);
            Object token = enter.invoke(probe);
            Probes.exit(token);
            int expected = Arrays.binarySearch(out, probe) < 0 ? 1 : 0;
            assertThat(Probes.hits(probe) - before).as("%d", probe - first).isEqualTo(expected);
        }
        Gates.leaveOut(Map.of(gate, new int[0]));
    }

    @Test
    void overloads_areToldApartByTheirParameters() throws Exception {
        loader.loadClass(SHAPES);
        List<String> names = new ArrayList<>();
        for (int i = 1; i < WovenLoader.DIRECTORY.probes(); i++) {
            names.add(WovenLoader.DIRECTORY.probe(i).toString());
        }
        assertThat(names)
                .contains(SHAPES + "#switcher(int)", SHAPES + "#switcher(String)", SHAPES + "#loop")
                .noneMatch(name -> name.contains("$deserializeLambda$") || name.endsWith("#empty"));
    }

    @Test
    void aClassWovenAgain_keepsItsNumbers() {
        WovenLoader own = new WovenLoader(name -> false);
        byte[] classFile = WovenLoader.classFile(SHAPES);
        Weaver weaver = new Weaver(WovenLoader.DIRECTORY);
        byte[] first = weaver.weave(own, classFile);
        int probes = WovenLoader.DIRECTORY.probes();

        assertThat(weaver.weave(own, classFile)).isEqualTo(first);
        assertThat(WovenLoader.DIRECTORY.probes()).isEqualTo(probes);
    }

    @Test
    void aStackOverflow_reachesTheApplicationAndBreaksNothing() throws Exception {
        Method endless = loader.loadClass(SHAPES).getDeclaredMethod("endless", int.class);
        endless.setAccessible(true);
        for (int round = 0; round < 20; round++) {
            setting(round % 4);
            assertThatThrownBy(() -> endless.invoke(null, 1)).hasRootCauseInstanceOf(StackOverflowError.class);
        }
        wovenMethods_haveTheResultsOfPlainOnes_whateverTheGatesAndPeriods();
    }

    @Test
    void everyClassFileVersion_isWovenAndRuns() throws Exception {
        int newest = Runtime.version().feature() + 44;
        for (int version = 46; version <= newest; version++) {
            byte[] classFile = countdown("v/V" + version, version);
            Class<?> woven = new WovenLoader(name -> false).define("v.V" + version, classFile);
            Method method = woven.getMethod("run", int.class, long.class);
            int before = hitsOf("v.V" + version);
            assertThat(method.invoke(null, 5, 10L)).as("version %d", version).isEqualTo(25L);
            assertThatThrownBy(() -> method.invoke(null, -1, 0L))
                    .as("version %d", version)
                    .hasRootCauseInstanceOf(ArithmeticException.class);
            assertThat(hitsOf("v.V" + version) - before)
                    .as("version %d", version)
                    .isEqualTo(2);
        }
    }

    @Test
    void newestKnownVersion_isWovenThoughThisJvmCannotLoadIt() {
        byte[] woven =
                new Weaver(WovenLoader.DIRECTORY).weave(new WovenLoader(name -> false), countdown("v/Newest", 69));

        assertThat(new ClassReader(woven == null ? new byte[0] : woven).readUnsignedShort(6))
                .isEqualTo(69);
    }

    @Test
    void aParameterSlotReusedForAWiderValue_isNoObstacle() throws Exception {
        // run(int) with a long in slots 0 and 1, as shrinkers allocate: slot 1 is no parameter's
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_FRAMES);
        writer.visit(Opcodes.V11, Opcodes.ACC_PUBLIC, "v/Reused", null, "java/lang/Object", null);
        MethodVisitor code = writer.visitMethod(Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC, "run", "(I)J", null, null);
        code.visitCode();
        code.visitVarInsn(Opcodes.ILOAD, 0);
        code.visitInsn(Opcodes.I2L);
        code.visitVarInsn(Opcodes.LSTORE, 0);
        Label loop = new Label();
        code.visitLabel(loop);
        code.visitVarInsn(Opcodes.LLOAD, 0);
        code.visitInsn(Opcodes.LCONST_1);
        code.visitInsn(Opcodes.LADD);
        code.visitVarInsn(Opcodes.LSTORE, 0);
        code.visitVarInsn(Opcodes.LLOAD, 0);
        code.visitLdcInsn(10L);
        code.visitInsn(Opcodes.LCMP);
        code.visitJumpInsn(Opcodes.IFLT, loop);
        code.visitVarInsn(Opcodes.LLOAD, 0);
        code.visitInsn(Opcodes.LRETURN);
        code.visitMaxs(0, 0);
        code.visitEnd();
        writer.visitEnd();

        Class<?> woven = new WovenLoader(name -> false).define("v.Reused", writer.toByteArray());

        assertThat(woven.getMethod("run", int.class).invoke(null, 3)).isEqualTo(10L);
    }

    @Test
    void garbage_isRefusedByAnException() {
        byte[] good = WovenLoader.classFile(SHAPES);
        Random random = new Random(11);
        Weaver weaver = new Weaver(new ProbeDirectory());
        WovenLoader own = new WovenLoader(name -> false);
        for (int round = 0; round < Fuzz.rounds(500); round++) {
            byte[] bad = good.clone();
            for (int i = 0; i < 3; i++) {
                bad[random.nextInt(bad.length)] = (byte) random.nextInt();
            }
            try {
                weaver.weave(own, bad);
            } catch (RuntimeException refused) {
                assertThat(refused).isNotNull(); // the transformer leaves the class as it was
            }
        }
    }

    /** {@code static long run(int n, long l)}: l + 3n by a loop, through a handler; n below zero divides by zero. */
    private static byte[] countdown(String name, int version) {
        ClassWriter writer = new ClassWriter(version >= 50 ? ClassWriter.COMPUTE_FRAMES : ClassWriter.COMPUTE_MAXS);
        writer.visit(version, Opcodes.ACC_PUBLIC, name, null, "java/lang/Object", null);
        MethodVisitor code = writer.visitMethod(Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC, "run", "(IJ)J", null, null);
        code.visitCode();
        Label start = new Label();
        Label end = new Label();
        Label handler = new Label();
        Label loop = new Label();
        Label done = new Label();
        code.visitTryCatchBlock(start, end, handler, "java/lang/IllegalStateException");
        code.visitLabel(start);
        code.visitLabel(loop);
        code.visitVarInsn(Opcodes.ILOAD, 0);
        code.visitJumpInsn(Opcodes.IFEQ, done);
        code.visitInsn(Opcodes.ICONST_3);
        code.visitVarInsn(Opcodes.ILOAD, 0);
        code.visitInsn(Opcodes.ICONST_1);
        code.visitInsn(Opcodes.IADD);
        code.visitInsn(Opcodes.IREM);
        code.visitInsn(Opcodes.POP);
        code.visitVarInsn(Opcodes.LLOAD, 1);
        code.visitLdcInsn(3L);
        code.visitInsn(Opcodes.LADD);
        code.visitVarInsn(Opcodes.LSTORE, 1);
        code.visitIincInsn(0, -1);
        code.visitJumpInsn(Opcodes.GOTO, loop);
        code.visitLabel(done);
        code.visitVarInsn(Opcodes.LLOAD, 1);
        code.visitLabel(end);
        code.visitInsn(Opcodes.LRETURN);
        code.visitLabel(handler);
        code.visitInsn(Opcodes.POP);
        code.visitInsn(Opcodes.LCONST_0);
        code.visitInsn(Opcodes.LRETURN);
        code.visitMaxs(0, 0);
        code.visitEnd();
        writer.visitEnd();
        return writer.toByteArray();
    }

    private static void setting(int which) {
        for (int probe = 1; probe < WovenLoader.DIRECTORY.probes(); probe++) {
            Probes.arm(probe, which == 2 ? 1 : which == 3 ? 5 : 0);
            Gates.set(which != 0, WovenLoader.DIRECTORY.probe(probe).gate());
        }
        Credit.set(Integer.MAX_VALUE);
    }

    private static int[] numbers(int gate, String method) {
        return IntStream.range(1, WovenLoader.DIRECTORY.probes())
                .filter(number -> WovenLoader.DIRECTORY.probe(number).gate() == gate)
                .filter(number -> WovenLoader.DIRECTORY.probe(number).toString().startsWith(SHAPES + "#" + method))
                .toArray();
    }

    private int hits(String method) {
        int hits = 0;
        for (int i = 1; i < WovenLoader.DIRECTORY.probes(); i++) {
            if (WovenLoader.DIRECTORY.probe(i).toString().equals(SHAPES + "#" + method)) {
                hits += Probes.hits(i);
            }
        }
        return hits;
    }

    private static Probe probe(String method) {
        Map<String, Probe> last = new HashMap<>();
        for (int i = 1; i < WovenLoader.DIRECTORY.probes(); i++) {
            Probe probe = WovenLoader.DIRECTORY.probe(i);
            last.put(probe.toString(), probe);
        }
        return Objects.requireNonNull(last.get(SHAPES + "#" + method));
    }

    private static int hitsOf(String className) {
        int hits = 0;
        for (int i = 1; i < WovenLoader.DIRECTORY.probes(); i++) {
            if (WovenLoader.DIRECTORY.probe(i).className().equals(className)) {
                hits += Probes.hits(i);
            }
        }
        return hits;
    }
}
