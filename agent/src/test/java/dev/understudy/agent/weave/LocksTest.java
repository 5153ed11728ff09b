package dev.understudy.agent.weave;

import dev.understudy.agent.bootstrap.ExchangeTraffic;
import dev.understudy.agent.branch.BranchDirectory;
import dev.understudy.agent.branch.SecondLevel;
import java.lang.management.LockInfo;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.junit.jupiter.api.Test;

import static dev.understudy.agent.weave.WovenBank.DIRECTORY;
import static dev.understudy.agent.weave.WovenBank.called;
import static dev.understudy.agent.weave.WovenBank.get;
import static dev.understudy.agent.weave.WovenBank.loaded;
import static dev.understudy.agent.weave.WovenBank.told;
import static dev.understudy.agent.weave.WovenBank.weaver;
import static org.assertj.core.api.Assertions.assertThat;

/** What is told of waiting for locks, and what weaving that leaves as it was. */
final class LocksTest {
    private static final String BANK = Bank.class.getName();
    private static final long WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(101);

    private final WovenBank woven = new WovenBank();

    LocksTest() throws Exception {}

    @Test
    void aFreeLock_isGotAtOnce_andNamedByItsField() throws Exception {
        Object bank = woven.bank();

        assertThat(toldAtOnce(bank, "book")).containsExactly("book Bank.ledger at once");
        assertThat(toldAtOnce(bank, "bookAndAudit"))
                .containsExactly("bookAndAudit Bank.ledger at once", "bookAndAudit Bank.audit at once");
        assertThat(toldAtOnce(bank, "bookInLambda")).containsExactly("lambda$bookInLambda$0 Bank.ledger at once");
        assertThat(toldAtOnce(bank, "opened"))
                .containsExactly("opened Bank.vault at once", "opened Bank.ledger at once");
        assertThat(toldAtOnce(bank, "rated"))
                .containsExactly("rated Bank.rates.readLock() at once", "rated Bank.rates.writeLock() at once");
        assertThat(toldAtOnce(bank, "tried")).containsExactly("tried  at once");
        assertThat(toldAtOnce(bank, "closeFrom")).containsExactly("close this Bank at once");
        assertThat(toldAtOnce(bank, "bookOrAudit"))
                .as("either, and nobody knows which")
                .containsExactly("bookOrAudit  at once");
    }

    @Test
    void aLockThatIsHeldAlready_isNoNews() throws Exception {
        assertThat(toldAtOnce(woven.bank(), "bookTwice")).containsExactly("bookTwice Bank.ledger at once");
        assertThat(toldAtOnce(woven.bank(), "openedTwice")).containsExactly("openedTwice Bank.vault at once");
    }

    @Test
    void aMonitorThatAnotherHolds_isWaitedFor() throws Exception {
        Object bank = woven.bank();

        assertThat(toldWhileHeld(get(bank, "ledger"), bank, "book"))
                .containsExactly(
                        "book Bank.ledger waited", "book Bank.ledger waited ten", "book Bank.ledger waited hundred");
    }

    @Test
    void aSynchronizedMethod_isWaitedForByThoseWhoCallIt() throws Exception {
        Object bank = woven.bank();

        assertThat(toldWhileHeld(bank, bank, "closeFrom"))
                .containsExactly(
                        "close this Bank waited", "close this Bank waited ten", "close this Bank waited hundred");
    }

    @Test
    void aLockOfTheJdkThatAnotherHolds_isWaitedFor() throws Exception {
        Object bank = woven.bank();
        ReentrantLock vault = (ReentrantLock) get(bank, "vault");
        for (String method : List.of("opened", "tried")) {
            CountDownLatch held = new CountDownLatch(1);
            Thread asking = Thread.currentThread();
            Thread other = new Thread(() -> {
                vault.lock();
                try {
                    held.countDown();
                    letWait(() -> vault.hasQueuedThread(asking));
                } finally {
                    vault.unlock();
                }
            });
            other.start();
            held.await();
            String lock = method.equals("opened") ? "Bank.vault" : "";
            assertThat(told(bank, method, 5)).contains(method + " " + lock + " waited hundred");
            other.join();
        }
    }

    @Test
    void wovenMethods_haveTheResultsOfPlainOnes() throws Exception {
        SecondLevel level = new SecondLevel(DIRECTORY);
        level.set(Set.of(BANK), Set.of());
        for (Class<?> one : List.of(woven.type, loaded(level))) {
            for (int seed = 0; seed < 10; seed++) {
                int from = seed;
                String[] text = new String[1];
                ExchangeTraffic.of(() -> text[0] =
                        (String) one.getMethod("transcript", int.class).invoke(null, from));
                assertThat(text[0]).isEqualTo(Bank.transcript(seed));
                assertThat(one.getMethod("transcript", int.class).invoke(null, from))
                        .isEqualTo(text[0]);
            }
        }
    }

    @Test
    void everyClassFileVersion_runs() throws Exception {
        for (int version = 46; version <= Runtime.version().feature() + 44; version++) {
            String name = "v.Locked" + version;
            WovenLoader loader = new WovenLoader(any -> false, weaver(new SecondLevel(new BranchDirectory())));
            Class<?> woven = loader.define(name, monitors(name, version));
            Object lock = new Object();
            List<String> told =
                    toldAtOnce(() -> woven.getMethod("run", Object.class).invoke(null, lock));
            assertThat(told).as("version %d", version).containsExactly("run  at once");
            assertThat(Thread.holdsLock(lock)).isFalse();
        }
    }

    @Test
    void garbage_isRefusedByAnException() {
        WovenLoader.weaveGarbage(weaver(new SecondLevel(new BranchDirectory())), WovenLoader.classFile(BANK));
    }

    @Test
    void aMethodWovenAgain_keepsItsNumbers() {
        Weaver weaver = weaver(new SecondLevel(new BranchDirectory()));
        WovenLoader own = new WovenLoader(any -> false);
        byte[] first = weaver.weave(own, WovenLoader.classFile(BANK));
        int numbers = DIRECTORY.numbers();

        assertThat(weaver.weave(own, WovenLoader.classFile(BANK))).isEqualTo(first);
        assertThat(DIRECTORY.numbers()).isEqualTo(numbers);
    }

    /**
     * {@code static synchronized int run(Object lock)}: throws and catches while it holds the lock, as compilers of old
     * wrote that.
     */
    private static byte[] monitors(String name, int version) {
        ClassWriter writer = new ClassWriter(version >= 50 ? ClassWriter.COMPUTE_FRAMES : ClassWriter.COMPUTE_MAXS);
        writer.visit(version, Opcodes.ACC_PUBLIC, name.replace('.', '/'), null, "java/lang/Object", null);
        String run = "(Ljava/lang/Object;)I";
        MethodVisitor code = writer.visitMethod(
                Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC | Opcodes.ACC_SYNCHRONIZED, "run", run, null, null);
        Label start = new Label();
        Label end = new Label();
        Label handler = new Label();
        code.visitCode();
        code.visitTryCatchBlock(start, end, handler, null);
        code.visitVarInsn(Opcodes.ALOAD, 0);
        code.visitInsn(Opcodes.MONITORENTER);
        code.visitLabel(start);
        code.visitInsn(Opcodes.ICONST_1);
        code.visitInsn(Opcodes.ICONST_0);
        code.visitInsn(Opcodes.IDIV);
        code.visitVarInsn(Opcodes.ALOAD, 0);
        code.visitInsn(Opcodes.MONITOREXIT);
        code.visitLabel(end);
        code.visitInsn(Opcodes.IRETURN);
        code.visitLabel(handler);
        code.visitVarInsn(Opcodes.ALOAD, 0);
        code.visitInsn(Opcodes.MONITOREXIT);
        code.visitInsn(Opcodes.POP);
        code.visitInsn(Opcodes.ICONST_2);
        code.visitInsn(Opcodes.IRETURN);
        code.visitMaxs(0, 0);
        code.visitEnd();
        writer.visitEnd();
        return writer.toByteArray();
    }

    private static List<String> toldAtOnce(Object bank, String method) throws Exception {
        return toldAtOnce(() -> called(bank, method, 1));
    }

    /** A thread that loses its core for a moment looks like one that waits; sooner or later it doesn't. */
    private static List<String> toldAtOnce(Callable<?> work) throws Exception {
        List<String> told = told(work);
        for (int i = 0; i < 1_000 && told.stream().anyMatch(one -> one.contains(" waited")); i++) {
            told = told(work);
        }
        return told;
    }

    private static List<String> toldWhileHeld(Object lock, Object bank, String method) throws Exception {
        CountDownLatch held = new CountDownLatch(1);
        Thread asking = Thread.currentThread();
        Thread other = new Thread(() -> {
            synchronized (lock) {
                held.countDown();
                letWait(() -> isBlocked(asking, lock));
            }
        });
        other.start();
        held.await();
        List<String> told = told(bank, method, 1);
        other.join();
        return told;
    }

    private static boolean isBlocked(Thread thread, Object lock) {
        LockInfo blocking = ManagementFactory.getThreadMXBean()
                .getThreadInfo(thread.getId())
                .getLockInfo();
        return blocking != null && blocking.getIdentityHashCode() == System.identityHashCode(lock);
    }

    /** Returns a while after it waits. */
    private static void letWait(BooleanSupplier waits) {
        while (!waits.getAsBoolean()) {
            Thread.onSpinWait();
        }
        long end = System.nanoTime() + WAIT_NANOS;
        while (System.nanoTime() - end < 0) {
            LockSupport.parkNanos(WAIT_NANOS);
        }
    }
}
